"""Scores in files: the same counts as in memory, whole errors for what is wrong."""

import duckdb
import numpy as np
import pytest

import dplens as dl
from dplens.cli.main import main
from dplens.tables import FORMATS


def write(path, values, column="score"):
    with duckdb.connect() as connection:
        connection.execute(f'CREATE TABLE t ("{column}" DOUBLE)')
        if len(values):
            connection.execute("INSERT INTO t SELECT unnest(?::DOUBLE[])", [[float(v) for v in values]])
        connection.execute(f"COPY t TO '{path}'")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    rng, folder = np.random.default_rng(0), tmp_path_factory.mktemp("scores")
    inside, outside = rng.normal(1, 1, 900), np.round(rng.normal(0, 1, 700), 2)
    return inside, outside, write(folder / "in.parquet", inside), write(folder / "out.csv", outside)


@pytest.mark.parametrize("members", ["higher", "either"])
@pytest.mark.filterwarnings("ignore:The scores look reversed")
def test_files_and_arrays_agree(files, members):
    inside, outside, path_in, path_out = files
    found, same = dl.audit(path_in, str(path_out), members=members), dl.audit(inside, outside, members=members)
    assert found.mu == pytest.approx(same.mu, abs=1e-12)
    assert found.epsilon == pytest.approx(same.epsilon, abs=1e-12)
    assert found.auc == pytest.approx(same.auc, abs=1e-3)
    if members == "higher":
        assert dl.audit(path_in, outside).mu == pytest.approx(same.mu, abs=1e-12)


@pytest.mark.parametrize("labels", [("1", "0"), ("true", "false"), ("1.0", "0.0")])
def test_one_file_with_labels_agrees_with_two(files, labels, tmp_path):
    inside, outside, _, _ = files
    rows = [f"{x!r},{labels[0]}" for x in inside.tolist()] + [f"{x!r},{labels[1]}" for x in outside.tolist()]
    np.random.default_rng(3).shuffle(rows)
    path = tmp_path / "both.csv"
    path.write_text("\n".join(["score,member", *rows]))
    found, same = dl.audit(path, label="member"), dl.audit(inside, outside)
    assert (found.n_in, found.n_out) == (900, 700)
    assert found.mu == pytest.approx(same.mu, abs=1e-12)
    assert dl.audit(str(path), None, 0.9, label="member").confidence == 0.9


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["score,member", "1.0,1", "2.0,2"], "to hold 1 .*got 2"),
        (["score,member", "1.0,1", "2.0,"], "to hold 1 .*got nothing"),
        (["score,member", "1.0,in", "2.0,out"], "to hold numbers in column 'member'"),
        (["score,member", "1.0,1", "2.0,1"], "only 1"),
        (["score,member", "1.0,0", "2.0,0"], "only 0"),
        (["score,in", "1.0,1", "2.0,0"], "Name yours by label"),
        (["loss,member", "1.0,1", "2.0,0"], "Name yours by column"),
    ],
)
def test_labels_that_tell_nothing_are_refused(rows, told, tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("\n".join(rows))
    with pytest.raises(dl.DplensError, match=told):
        dl.audit(path, label="member")


def test_labels_go_with_one_file():
    for given in (([1.0, 2.0], None), ("in.csv", "out.csv"), ("in.csv", [1.0])):
        with pytest.raises(dl.DplensError, match="one file"):
            dl.audit(*given, label="member")
    for more in ({"label": 3}, {"column": None}):
        with pytest.raises(dl.DplensError, match="name of a column"):
            dl.audit("in.csv", "out.csv", **more)


def test_files_of_few_values(tmp_path):
    rng = np.random.default_rng(1)
    inside, outside = (rng.random(900) < 0.8).astype(int), (rng.random(900) < 0.3).astype(int)
    paths = write(tmp_path / "in.parquet", inside), write(tmp_path / "out.parquet", outside)
    assert dl.audit(*paths).epsilon == dl.audit(inside, outside).epsilon > 0.5
    for path, values in zip(("in.csv", "out.csv"), (inside, outside)):  # guesses are scores of two values
        (tmp_path / path).write_text("\n".join(["score", *("true" if x else "false" for x in values)]))
    guessed = dl.audit(tmp_path / "in.csv", tmp_path / "out.csv")
    assert guessed.epsilon == dl.audit(inside > 0, outside > 0).epsilon == dl.audit(inside, outside).epsilon


def test_bad_files_are_named_and_explained(tmp_path, files):
    path_out = files[3]
    cases = {
        "existing file": tmp_path / "nowhere.csv",
        "column 'score'.*columns \\['loss'\\]": write(tmp_path / "loss.csv", [1, 2], "loss"),
        ".csv, .tsv, .parquet, .jsonl, .ndjson": tmp_path / "scores.txt",
        "finite scores.*1 of 2": write(tmp_path / "nan.parquet", [1.0, float("nan")]),
        "at least one score": write(tmp_path / "empty.parquet", []),
    }
    (tmp_path / "scores.txt").write_text("score\n1\n")
    for said, path in cases.items():
        with pytest.raises(dl.DplensError, match=f"scores_in.*{said}"):
            dl.audit(path, path_out)
    (tmp_path / "words.csv").write_text("score\nhigh\nlow\n")
    with pytest.raises(dl.DplensError, match="to hold numbers in column 'score'"):
        dl.audit(tmp_path / "words.csv", path_out)
    (tmp_path / "broken.parquet").write_bytes(b"not a table")
    with pytest.raises(dl.DplensError, match="DuckDB can read"):
        dl.audit(tmp_path / "broken.parquet", path_out)
    assert dl.audit(write(tmp_path / "loss.parquet", [1, 2, 5], "loss"), [0.0, 1.0], column="loss").n_in == 3


def test_a_name_is_one_file_and_never_a_pattern(tmp_path):
    rng = np.random.default_rng(5)
    scores, other = rng.normal(3, 1, 50), rng.normal(0, 1, 50)
    folder = tmp_path / "score=9"  # a folder that looks like a column of a partitioned table
    folder.mkdir()
    for path in (tmp_path / "s1.csv", tmp_path / "sx.csv", folder / "in.csv"):
        write(path, other)
    wanted = dl.audit(scores, other).mu
    for name in ("s[1].csv", "s*.csv", "it's.csv"):
        (tmp_path / name).write_text("score\n" + "\n".join(map(repr, scores.tolist())))
        assert dl.audit(tmp_path / name, other).mu == wanted
    assert dl.audit(scores, folder / "in.csv").mu == wanted
    (tmp_path / "far.csv").write_text(f"score\n{-1.7976931348623157e308!r}\n1\n0\n")
    assert dl.audit(tmp_path / "far.csv", other).tpr[-1] == 1
    (tmp_path / "nothing.csv").touch()
    with pytest.raises(dl.DplensError, match="an empty file"):
        dl.audit(tmp_path / "nothing.csv", other)


def test_canaries_of_one_run_in_a_file(tmp_path):
    rng = np.random.default_rng(8)
    included = rng.random(500) < 0.5
    scores = included + rng.normal(0, 0.5, 500)
    path = tmp_path / "canaries.csv"
    rows = [f"{-s!r},{str(i).lower()}" for s, i in zip(scores.tolist(), included.tolist())]
    path.write_text("\n".join(["loss,was_in", *rows]))
    asked = {"included": "was_in", "column": "loss", "guess": 50}
    found = dl.audit_one_run(scores=path, members="lower", **asked)
    held = dl.audit_one_run(included=included, scores=scores, guess=50)
    assert (found.guesses, found.correct) == (held.guesses, held.correct)
    assert found.epsilon == held.epsilon > 1
    both = dl.audit_one_run(scores=path, members="either", **asked)
    assert both.tries == 2
    assert 0 < both.epsilon < found.epsilon
    for text, said in (("loss\n1\n", "was_in"), ("loss,was_in\n1,\n2,1\n", "1 without"), ("loss,was_in\n1,x\n", "'x'")):
        path.write_text(text)
        with pytest.raises(dl.DplensError, match=said):
            dl.audit_one_run(scores=path, **asked)


def test_a_text_among_numbers_is_shown(tmp_path):
    (tmp_path / "in.csv").write_text("score\n0.5\nNA\n")
    with pytest.raises(dl.DplensError, match="'NA' in"):
        dl.audit(tmp_path / "in.csv", [1.0, 2.0])
    # beyond what DuckDB looks at to find the kind of a column
    (tmp_path / "in.csv").write_text("id,score\n" + "".join(f"{i},{i / 7}\n" for i in range(30_000)) + "30000,NA\n")
    with pytest.raises(dl.DplensError, match=r"Line: 30002.*30000,NA"):
        dl.audit(tmp_path / "in.csv", [1.0, 2.0])


def test_the_logarithm_of_0_is_called_infinite(tmp_path):
    (tmp_path / "in.csv").write_text("score\n0.5\n-inf\n2\n-inf\n")  # which DuckDB takes for texts
    with pytest.raises(dl.errors.InvalidValue, match=r"finite scores.*2 of 4 that are missing, NaN or infinite"):
        dl.audit(tmp_path / "in.csv", [1.0, 2.0])


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson"])
def test_scores_in_json_lines(tmp_path, suffix):
    path = tmp_path / f"scores{suffix}"
    path.write_text(
        "".join(f'{{"score": {s}, "member": {m}}}\n' for s, m in ((2, "true"), (0.5, "false"), (3, "true")))
    )
    found, wanted = dl.audit(path, label="member"), dl.audit([2.0, 3.0], [0.5])
    assert (found.n_in, found.n_out, found.mu) == (2, 1, wanted.mu)
    path.write_text('{"score": 1}\n{"score": 2}\n\n\n')  # blank lines at the end are no scores
    assert dl.audit(path, [0.5, 0.7]).n_in == 2
    for text, said in (
        ('{"score": 1}\n{"loss": 2}\n', "1 of 2 that are missing"),
        ('{"score": 1}\n{"score": "high"}\n', "to hold numbers in column 'score'"),
        ('{"score": 1, "score": 2}\n', "DuckDB can read.*score"),
        ('{"score": 1\n', "DuckDB can read"),
    ):
        path.write_text(text)
        with pytest.raises(dl.DplensError, match=said):
            dl.audit(path, [1.0, 2.0])


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.filterwarnings("ignore:9 of 9 cells hold fewer")
def test_every_format_is_read_everywhere(tmp_path, suffix, capsys):
    path = tmp_path / f"profile{suffix}"
    lines = "".join(f'{{"epsilon": {e}, "delta": {d}}}\n' for e, d in ((0, 0.4), (1, 0.1), (2, 0.01)))
    (tmp_path / "rows.jsonl").write_text(lines)
    how = {".csv": "FORMAT CSV", ".tsv": "FORMAT CSV, DELIMITER '\t'", ".parquet": "FORMAT PARQUET"}
    with duckdb.connect() as connection:
        rows = f"(FROM read_json('{tmp_path / 'rows.jsonl'}'))"
        connection.execute(f"COPY {rows} TO '{path}' ({how.get(suffix, 'FORMAT JSON')})")
    assert dl.audit(path, [0.5, 0.7], column="delta").n_in == 3
    assert dl.fit_discrete(path, values={"epsilon": [0, 1, 2], "delta": [0.4, 0.1, 0.01]}).rows == 3
    assert main(["import", str(path), "--json"]) == 0
    assert '"mechanism": "privacy_profile"' in capsys.readouterr().out


def test_columns_of_one_name_are_refused(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("score,score,member\n1,2,1\n2,3,0\n3,4,1\n1,1,0\n")
    with pytest.raises(dl.DplensError, match="to have one column 'score'"):
        dl.audit(path, label="member")
    path.write_text("score,score_1,member\n1,2,1\n2,3,0\n3,4,1\n1,1,0\n")
    assert dl.audit(path, label="member").n_in == 2


def test_labels_are_no_scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("score,member\n1,1\n2,0\n3,1\n1,0\n")
    with pytest.raises(dl.DplensError, match="to hold scores, not the labels"):
        dl.audit(path, label="member", column="member")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("blank", [1, 2, 5000])
def test_empty_lines_at_the_end_are_no_scores(tmp_path, end, blank):
    path = tmp_path / "in.csv"
    path.write_bytes(end.join(["score", "0.5", "2", "1.5", *[""] * (blank + 1)]).encode())
    found, wanted = dl.audit(path, [1.0, 2.0]), dl.audit([0.5, 2.0, 1.5], [1.0, 2.0])
    assert (found.n_in, found.mu) == (3, wanted.mu)
    assert found.auc == pytest.approx(wanted.auc)
    path.write_bytes(end.join(["score", "0.5", "", "2", *[""] * (blank + 1)]).encode())
    with pytest.raises(dl.DplensError, match="got 1 of 3 that are missing"):
        dl.audit(path, [1.0, 2.0])
    path.write_bytes(end.join(["score", *[""] * (blank + 1)]).encode())
    with pytest.raises(dl.DplensError, match="at least one score"):
        dl.audit(path, [1.0, 2.0])
