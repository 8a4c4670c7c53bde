"""Reports in real browsers, from file://: what they accept, reject, refuse, and how they look."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp import Ledger, compose
from exactdp.pages.findings import Findings, Proof
from exactdp.pages.page import checking_page, report_page
from exactdp.verifier import verify_bytes
from tests.cli.pages.browsers import Browser, Look, opened, wait_until
from tests.cli.pages.pages import Page, report
from tests.cli.running import GOOGLE, LEDGERS, exactdp
from tests.mutation.mutate import seal
from tests.proofs.otherwise import is_proved_otherwise
from tests.proofs.unproved import is_beyond_the_checker
from tests.verifier import handmade
from tools.adversaries import of_ledger, pair

CERTIFICATES: Final = LEDGERS.parent / "certs"
CENSUS: Final = str(LEDGERS / "census_2020_dhc_us_persons.json")
RESULTS: Final = (
    "Array.from(document.querySelectorAll('#results li'),"
    " e => [e.querySelector('strong').textContent, e.textContent])"
)
TOO_LONG: Final = "a number is longer than this browser can hold"
STATE: Final = "document.documentElement.dataset.state"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on two ledgers."""
    folder = tmp_path_factory.mktemp("made")
    with chdir(folder):
        report(GOOGLE, CENSUS)
    return folder / "report.html"


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """One after the other."""
    with opened(request.param, tmp_path_factory.mktemp("browser"), Look()) as browser:
        yield browser


def verified_here(browser: Browser, page: Path) -> list[list[str]]:
    """What the button of a page says of the certificates within it."""
    browser.go(page.as_uri())
    assert browser.evaluate(STATE) == "ready"
    browser.evaluate("document.getElementById('run').click()")
    wait_until(browser, f"{STATE} === 'done'")
    results: list[list[str]] = browser.evaluate(RESULTS)
    return results


def dropped(browser: Browser, files: list[Path]) -> list[list[str]]:
    """What the page says of files."""
    browser.choose("#files", files)
    wait_until(
        browser,
        f"{STATE} === 'done' && document.querySelectorAll('#results li').length == {len(files)}",
    )
    results: list[list[str]] = browser.evaluate(RESULTS)
    return results


def is_firefox(browser: Browser) -> bool:
    return "Firefox" in browser.evaluate("navigator.userAgent")


def summary(browser: Browser) -> str:
    text: str = browser.evaluate("document.getElementById('summary').textContent")
    return text


SUMMARY: Final = "8 accepted, 1 without a proof in this checker."
"""The census has a claim in ρ, whose rule is not in the checker of pages."""


# --- what is accepted, and what is not ----------------------------------------------------------


def test_the_button_verifies_every_certificate_of_the_page(browser: Browser, made: Path) -> None:
    results = verified_here(browser, made)
    assert Counter(word for word, _ in results) == {"ACCEPTED": 8, "UNKNOWN": 1}
    assert summary(browser) == SUMMARY
    assert "ε ≤ 2.5631831173 at δ = 1e-6 for 18 mechanisms" in results[0][1]
    assert "ε > 2.5631831172 at δ = 1e-6 for 18 mechanisms" in results[1][1]


ONE_IN: Final = 12
"""The checker within pages is the extracted one, which ``tests/proofs`` hold to the verifier on all
files; here its numbers are those of a browser, and a part of the files shows that."""


def certificates() -> list[Path]:
    """Some that are checked in, good and bad, but for what is no certificate at all."""
    good = [
        path
        for folder in ("accept", "deployments", "crosscheck")
        for path in sorted((CERTIFICATES / folder).glob("*.json"))
        if "derivation" in json.loads(path.read_bytes())
    ]
    return (good + sorted((CERTIFICATES / "reject").glob("*/*.json")))[::ONE_IN]


def test_of_certificates_of_the_project_those_are_accepted_that_the_verifier_accepts(
    browser: Browser, made: Path
) -> None:
    browser.go(made.as_uri())
    files = certificates()
    results = dropped(browser, files)
    counts = Counter(word for word, _ in results)
    assert counts["ACCEPTED"] > 15
    assert counts["REJECTED"] > 30
    assert sum(TOO_LONG in line for _, line in results) < 10
    for file, (word, line) in zip(files, results, strict=True):
        if is_firefox(browser) and TOO_LONG in line:
            assert word == "REFUSED"
        elif word == "UNKNOWN":
            assert is_beyond_the_checker(file), line
        elif not is_beyond_the_checker(file):
            accepted = verify_bytes(file.read_bytes()).status == "accepted"
            explained = word == "ACCEPTED" and is_proved_otherwise(file.read_bytes())
            assert (word == "ACCEPTED") == accepted or explained, line


def test_what_is_no_certificate_is_malformed_and_said_to_be(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    browser.go(made.as_uri())
    bad = {"empty.json": b"", "text.json": b"{}", "picture.png": bytes(range(256)) * 9}
    files = [tmp_path / name for name in bad]
    for file in files:
        file.write_bytes(bad[file.name])
    assert [word for word, _ in dropped(browser, files)] == ["MALFORMED"] * 3
    assert summary(browser) == "3 malformed."


# --- a page of its own ---------------------------------------------------------------------------

UPPER, LOWER, ELSEWHERE = (
    CERTIFICATES / "deployments" / f"{name}.json"
    for name in (
        "google_mobility_2020_user_day.upper",
        "google_mobility_2020_user_day.lower",
        "census_2020_dhc_us_persons.upper",
    )
)


@pytest.fixture(scope="module")
def checking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the site that checks."""
    path = tmp_path_factory.mktemp("checking") / "check.html"
    path.write_bytes(checking_page())
    return path


def test_a_certificate_and_its_ledger_are_dropped_and_the_proved_sentence_is_read(
    browser: Browser, checking: Path
) -> None:
    browser.go(checking.as_uri())
    browser.choose("#files", [UPPER, Path(GOOGLE), LOWER, ELSEWHERE])
    wait_until(browser, f"{STATE} === 'done' && {RESULTS}.length == 3")
    upper, lower, elsewhere = browser.evaluate(RESULTS)
    proved = (
        "18 mechanisms with these parameters are together (ε, δ)-differentially private with "
        "ε = 2.5631831173 and δ = 1e-6, however they are used; the parameters are those of the "
        "ledger"
    )
    assert proved in upper[1]
    assert "no promise of ε = 2.5631831172 or less holds at δ = 1e-6" in lower[1]
    assert elsewhere[0] == "REJECTED"
    assert "the statement is not about this ledger" in elsewhere[1]


def test_a_ledger_that_comes_later_is_asked_about_too(browser: Browser, checking: Path) -> None:
    browser.go(checking.as_uri())
    [[word, line]] = dropped(browser, [UPPER])
    assert (word, "those of the ledger" in line) == ("ACCEPTED", False)
    browser.choose("#files", [Path(CENSUS)])
    wait_until(browser, f"{RESULTS}.some(each => each[0] === 'REJECTED')")
    browser.choose("#files", [Path(GOOGLE)])
    wait_until(browser, f"{RESULTS}.some(each => each[0] === 'ACCEPTED')")
    assert "those of the ledger" in browser.evaluate(RESULTS)[0][1]


def test_of_a_family_without_a_proof_it_is_said_who_decides(
    browser: Browser, checking: Path, tmp_path: Path
) -> None:
    entry = {"selection": {"of": {"epsilon": "1/10"}, "repetitions": {"poisson": {"mean": "3"}}}}
    statement = {"subject": {"type": "mechanisms", "mechanisms": [entry]}, "kind": "upper"}
    (tmp_path / "new.json").write_text(json.dumps({"statement": statement, "derivation": []}))
    browser.go(checking.as_uri())
    [[word, line]] = dropped(browser, [tmp_path / "new.json"])
    assert word == "UNKNOWN"
    assert "no proof for mechanisms given by selection yet, and says neither yes nor no" in line
    assert "check it with python -m exactdp.verifier" in line
    assert summary(browser) == "1 without a proof in this checker."


# --- a report that somebody has changed ---------------------------------------------------------


def changed(page: Path, folder: Path, old: str, new: str) -> Path:
    """The page with the first place of a text changed."""
    text = page.read_text(encoding="utf-8")
    assert old in text
    path = folder / "changed.html"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def embedded(page: Path) -> tuple[str, dict[str, Any]]:
    """The first certificate of a page: as it is embedded, and what it says."""
    data = list(Page(page.read_bytes()).files().values())[1]
    return base64.b64encode(data).decode(), json.loads(data)


def test_a_changed_certificate_is_rejected(browser: Browser, made: Path, tmp_path: Path) -> None:
    old, document = embedded(made)
    document["statement"]["epsilon"] = "5/2"
    new = base64.b64encode(handmade.canonical_bytes(document)).decode()
    [first, *others] = verified_here(browser, changed(made, tmp_path, old, new))
    assert first[0] == "REJECTED"
    assert "the digest is that of another statement" in first[1]
    assert Counter(word for word, _ in others) == {"ACCEPTED": 7, "UNKNOWN": 1}
    assert summary(browser).startswith("7 accepted, 1 rejected, ")


def test_another_promise_than_the_certificate_proves_is_found(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    page = changed(made, tmp_path, ">2.5631831173</data>", ">2.4631831173</data>")
    [first, *_] = verified_here(browser, page)
    assert first[0] == "DIFFERS"
    assert "this page promises 2.4631831173, which it does not prove" in first[1]
    assert "1 not what this page says" in summary(browser)


def test_another_digest_and_another_statement_are_found(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    text = made.read_text(encoding="utf-8")
    digest = re.findall(r'class="digest">([0-9a-f]{64})<', text)[0]
    [first, *_] = verified_here(browser, changed(made, tmp_path, digest, "0" * 64))
    assert (first[0], "its SHA-256 is not" in first[1]) == ("DIFFERS", True)
    page = changed(made, tmp_path, '<code class="kind">upper<', '<code class="kind">lower<')
    [first, *_] = verified_here(browser, page)
    assert (first[0], "another kind" in first[1]) == ("DIFFERS", True)


def test_a_script_that_is_not_the_pages_own_does_not_run(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    page = changed(made, tmp_path, "</main>", "<script>document.title = 'taken'</script></main>")
    browser.go(page.as_uri())
    wait_until(browser, f"{STATE} === 'ready'")
    assert browser.evaluate("document.title") == "Privacy of 2 ledgers"


# --- sizes --------------------------------------------------------------------------------------


def of_many_mechanisms(rule: str, delta: str) -> bytes:
    entries = [pair(Fraction(i + 1, 10**9)) for i in range(20_000)]
    return of_ledger(rule, "20 000 mechanisms", entries, ("1000", delta)).data


def test_more_than_the_stack_of_a_browser_holds_is_refused_in_a_sentence(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    (tmp_path / "many.json").write_bytes(of_many_mechanisms("sum", "0"))
    browser.go(made.as_uri())
    [[word, line]] = dropped(browser, [tmp_path / "many.json"])
    assert word in ("ACCEPTED", "REFUSED")
    assert word == "ACCEPTED" or "nested deeper than this browser's stack" in line


def test_what_exceeds_the_bounds_of_the_checker_is_refused_and_not_rejected(
    browser: Browser, tmp_path: Path
) -> None:
    plan = "--batch-size 256 --dataset-size 60000 --noise-multiplier 1.1 --epochs 60 --delta 1e-5"
    with chdir(tmp_path):
        assert exactdp("dpsgd", *plan.split(), "--report", "training.html").code == 0
    results = verified_here(browser, tmp_path / "training.html")
    assert len(results) == 2
    assert {word for word, _ in results} <= {"ACCEPTED", "REFUSED"}
    assert all("exactdp.verifier decides" in line for word, line in results if word == "REFUSED")


def test_two_megabytes_of_certificates_within_a_page_are_decided(
    browser: Browser, tmp_path: Path
) -> None:
    data = of_many_mechanisms("trivial", "1")
    line = verify_bytes(data).line
    count = 2_000_000 // len(data) + 1
    proofs = tuple(Proof(f"{number}.json", data, line) for number in range(count))
    ledger = Ledger((), name="Much", empty=True)
    answer = compose(ledger, delta=1)
    page = report_page([Findings("much.json", ledger, answer, "", None, (), proofs)])
    assert len(page) > 2_000_000
    (tmp_path / "much.html").write_bytes(page)
    results = verified_here(browser, tmp_path / "much.html")
    assert [word for word, _ in results] == ["ACCEPTED"] * count
    assert summary(browser) == f"{count} accepted."


def test_what_is_longer_than_the_format_allows_is_refused_unread(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    (tmp_path / "long.json").write_bytes(b" " * (17 * 2**20))
    browser.go(made.as_uri())
    [[word, line]] = dropped(browser, [tmp_path / "long.json"])
    assert word == "REFUSED"
    assert "it has 17.0 MiB; a certificate has at most 16" in line


def test_a_number_beyond_the_browsers_cap_is_refused_in_a_sentence(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    odds = f"1{'0' * 18_000}1"  # 59 800 bits, twenty times
    document = handmade.atoms(
        "lower", [(f"ln({odds})", "0", 20)], f"19*ln({odds})", "1/2", sums=100
    )
    (tmp_path / "wide.json").write_bytes(seal(document))
    browser.go(made.as_uri())
    [[word, line]] = dropped(browser, [tmp_path / "wide.json"])
    if is_firefox(browser):
        assert word == "REFUSED"
        assert TOO_LONG in line
    else:
        assert word == "ACCEPTED"


# --- how it looks -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_without_scripts_everything_but_the_button_is_there(
    name: str, made: Path, tmp_path: Path
) -> None:
    with opened(name, tmp_path / "browser", Look(scripts=False)) as browser:
        browser.go(made.as_uri())
        text = browser.evaluate("document.body.innerText")
        assert "The checker needs JavaScript" in text
        assert "No promise below ε = 2.5631831172" in text
        assert browser.evaluate("document.getElementById('controls').hidden")
        links = "document.querySelectorAll('a[download][href^=\"data:\"]').length"
        assert browser.evaluate(links) == 11


@pytest.mark.parametrize("name", ["chromium", "firefox"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_page_is_dark_where_the_system_is(
    name: str, dark: bool, made: Path, tmp_path: Path
) -> None:
    with opened(name, tmp_path / "browser", Look(dark=dark)) as browser:
        browser.go(made.as_uri())
        paper, ink = (
            sum(map(int, re.findall(r"\d+", browser.evaluate(colour))[:3]))
            for colour in (
                "getComputedStyle(document.body).backgroundColor",
                "getComputedStyle(document.body).color",
            )
        )
        assert (paper < ink) == dark


TELEPHONE: Final = 360


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_telephones_width_is_enough(name: str, made: Path, tmp_path: Path) -> None:
    with opened(name, tmp_path / "browser", Look(height=740)) as browser:
        browser.go_within(made.as_uri(), TELEPHONE, tmp_path / "host.html")
        assert browser.evaluate("innerWidth") == TELEPHONE
        width = browser.evaluate("document.documentElement.clientWidth")
        assert TELEPHONE - 20 <= width <= TELEPHONE  # a scroll bar may take its place
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
        browser.evaluate("document.getElementById('run').click()")
        wait_until(browser, f"{STATE} === 'done'")
        assert summary(browser) == SUMMARY
        assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_it_prints(browser: Browser, made: Path) -> None:
    browser.go(made.as_uri())
    data = browser.printed()
    assert data.startswith(b"%PDF-")
    assert len(data) > 20_000
