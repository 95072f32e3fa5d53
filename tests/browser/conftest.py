"""The system's own Chromium, driven by Playwright; without one the tests of this directory say so and are skipped."""

import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser():
    path = next((found for found in map(shutil.which, NAMES) if found), None)
    if path is None:
        pytest.skip("no Chromium on this machine: install it (on Debian: apt-get install chromium) to run these tests")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make setup")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=list(QUIET))
        yield started
        started.close()
