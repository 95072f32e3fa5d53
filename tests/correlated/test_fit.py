"""Models from data: the same from memory and from files, declared ranges, sparse cells, bad tables."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import dplens as dl


def people(count=4000, seed=1):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 2, count)
    second = np.where(rng.random(count) < 0.8, first, 1 - first) * 2
    return {"a": first, "b": second}


def test_a_contingency_table():
    rows = people()
    data = dl.fit_discrete(rows, values={"a": [0, 1], "b": [2, 0]})
    assert data.rows == 4000
    assert data.joint[1, 0] == np.mean((rows["a"] == 1) & (rows["b"] == 2))
    assert data.joint[0, 0] == np.mean((rows["a"] == 0) & (rows["b"] == 2))
    assert data.worst(dl.Laplace(scale=1.0)).leakage > 2


def test_true_and_false_are_one_and_zero():
    rows = people()
    numbers = dl.fit_discrete(rows, values={"a": [0, 1], "b": [0, 2]})
    for yes in (rows["a"] == 1, (rows["a"] == 1).astype(object)):  # data frames hold either
        data = dl.fit_discrete({"a": yes, "b": rows["b"]}, values={"a": [False, True], "b": [0, 2]})
        assert (data.joint == numbers.joint).all()
        assert data.values[0].tolist() == [0, 1]
    noise = dl.Laplace(scale=1.0)
    asked = numbers.view(noise, target=0, query=lambda x: x.sum() > 1)
    assert asked.leakage() == numbers.view(noise, target=0, query=lambda x: float(x.sum() > 1)).leakage()


@pytest.mark.parametrize(
    "several", [dl.Laplace(scale=1.0).repeat(3), dl.compose(dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0))]
)
def test_several_releases_are_asked_for_as_a_list(several):
    with pytest.raises(dl.DplensError, match="as a list"):
        dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]).view(several, target=0)


def test_covariances():
    rng = np.random.default_rng(2)
    x = np.clip(rng.multivariate_normal([10, 20], [[1, 0.6], [0.6, 2]], 5000), 0, 30)
    data = dl.fit_gaussian({"x": x[:, 0], "y": x[:, 1]}, ranges={"x": (0, 20), "y": (10, 30)})
    assert data.covariance == pytest.approx(np.cov(x.T), rel=1e-10)
    assert data.mean == pytest.approx(x.mean(axis=0))
    assert data.width.tolist() == [20, 20]
    assert data.rows == 5000


def test_files_larger_than_memory(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    rows = people()
    csv, parquet = tmp_path / "it's.csv", tmp_path / "rows.parquet"
    np.savetxt(csv, np.stack([rows["a"], rows["b"]], axis=1), fmt="%d", delimiter=",", header="a,b", comments="")
    quoted = str(csv).replace("'", "''")
    duckdb.connect().execute(f"COPY (SELECT * FROM read_csv('{quoted}')) TO '{parquet}' (FORMAT parquet)")
    values = {"a": [0, 1], "b": [0, 2]}
    memory = dl.fit_discrete(rows, values=values)
    for path in (csv, str(parquet)):
        found = dl.fit_discrete(path, values=values)
        assert np.array_equal(found.joint, memory.joint)
        assert found.rows == memory.rows
        gauss = dl.fit_gaussian(path, ranges={"b": (0, 2), "a": (0, 1)})
        assert gauss.covariance == pytest.approx(np.cov([rows["b"], rows["a"]]), rel=1e-10)
    with pytest.raises(ValueError, match="column 'c'"):
        dl.fit_discrete(csv, values={"c": [0, 1]})
    with pytest.raises(ValueError, match="declared range"):
        dl.fit_gaussian(parquet, ranges={"b": (0, 1), "a": (0, 1)})


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(people())
    values = {"a": [0, 1], "b": [0, 2]}
    assert np.array_equal(dl.fit_discrete(frame, values=values).joint, dl.fit_discrete(people(), values=values).joint)


def tables(rows, tmp_path):
    """The same rows in every kind of table."""
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    frame = pandas.DataFrame(rows)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    duckdb.connect().execute(f"COPY (FROM read_csv('{tmp_path}/rows.csv')) TO '{tmp_path}/rows.parquet'")

    class Arrow:
        column_names, columns = list(rows), list(rows.values())

        def __getitem__(self, name):
            return rows[name]

    records = frame.to_records(index=False).view(np.ndarray)
    return [rows, frame, records, Arrow(), tmp_path / "rows.csv", tmp_path / "rows.parquet"]


def test_columns_are_not_passed_over(tmp_path):
    """Leaving b out would state a leakage of 1 where the tuples' is above 2."""
    for source in tables(people(), tmp_path):
        for fit, declared in (
            (dl.fit_discrete, {"values": {"a": [0, 1]}}),
            (dl.fit_gaussian, {"ranges": {"a": (0, 1)}}),
        ):
            with pytest.raises(dl.DplensError) as found:
                fit(source, **declared)
            said, name = str(found.value), next(iter(declared))
            assert said.startswith(f"Expected {name} to name every column of the source, got nothing for ['b'].")
            assert f"Give them {name} too, or pass" in said
            assert "only the columns ['a']" in said or "as in df[['a']]" in said
    frame = tables(people(), tmp_path)[1]
    assert dl.fit_gaussian(frame[["a"]], ranges={"a": (0, 1)}).rows == 4000
    assert dl.fit_discrete(frame[["a"]], values={"a": [0, 1]}).rows == 4000


def test_sparse_cells_are_warned_about():
    with pytest.warns(dl.DplensWarning, match="2 of 4 cells"):
        data = dl.fit_discrete({"a": [0, 1] * 50, "b": [0, 1] * 50}, values={"a": [0, 1], "b": [0, 1]})
    assert data.joint[0, 1] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dl.DplensWarning)
        smooth = dl.fit_discrete({"a": [0, 1], "b": [0, 1]}, values={"a": [0, 1], "b": [0, 1]}, smoothing=1)
    assert smooth.joint[0, 1] == pytest.approx(1 / 6)
    with pytest.warns(dl.DplensWarning, match="hardly known"):
        dl.fit_gaussian({"a": [0.0, 1.0, 0.3]}, ranges={"a": (0, 1)})


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: dl.fit_discrete(people(), values={"a": [0, 1], "b": [0, 1]}), "declared values"),
        (lambda: dl.fit_discrete(people(), values=["a"]), "mapping"),
        (lambda: dl.fit_discrete(people(), values={"c": [0, 1]}), "column 'c'"),
        (lambda: dl.fit_discrete({"a": [0, np.nan]}, values={"a": [0, 1]}), "gaps"),
        (lambda: dl.fit_discrete("/no/such/file.csv", values={"a": [0, 1]}), "existing file"),
        (lambda: dl.fit_gaussian({"a": [0.5, 2.0]}, ranges={"a": (0, 1)}), "declared range"),
        (lambda: dl.fit_gaussian({"a": [0.5, 0.7]}, ranges={"a": (1, 0)}), "above the low end"),
        (lambda: dl.fit_gaussian(7, ranges={"a": (0, 1)}), "table"),
    ],
)
def test_bad_tables_are_named_and_explained(make, match):
    with pytest.raises((ValueError, TypeError), match=match) as found:
        make()
    assert isinstance(found.value, dl.DplensError)


def test_without_duckdb_files_name_the_command(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a\n0\n1\n")
    code = (
        "import sys; sys.modules['duckdb'] = None\n"
        f"import dplens as dl\n"
        f"try: dl.fit_discrete({str(path)!r}, values={{'a': [0, 1]}})\n"
        "except dl.DplensError as e: print(e)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'dplens[data]'" in run.stdout


def test_columns_of_single_precision_hold_the_declared_values():
    rows = {"a": np.array([0.1, 0.2, 0.2] * 20, np.float32)}
    assert dl.fit_discrete(rows, values={"a": [0.2, 0.1]}).joint == pytest.approx([2 / 3, 1 / 3])


def test_ranges_whose_squares_are_no_floats():
    with pytest.raises(dl.DplensError, match=r"Expected ranges\['a'\] to hold numbers up to 1e\+75"):
        dl.fit_gaussian({"a": [0.0, 1.0], "b": [0.1, 0.9]}, ranges={"a": (0, 10**300), "b": (0, 1)})


def test_empty_lines_at_the_end_of_a_file_are_no_rows(tmp_path):
    pytest.importorskip("duckdb")
    rows, path = [0, 1, 1] * 20, tmp_path / "rows.csv"
    path.write_text("a\n" + "".join(f"{a}\n" for a in rows) + "\n\n")
    assert dl.fit_discrete(path, values={"a": [0, 1]}).joint == pytest.approx([1 / 3, 2 / 3])
    assert dl.fit_gaussian(path, ranges={"a": (0, 1)}).rows == len(rows)
    path.write_text("a\n0\n\n1\n")
    with pytest.raises(dl.DplensError, match="no gaps in column 'a'"):
        dl.fit_gaussian(path, ranges={"a": (0, 1)})
