"""What people type and what their spreadsheets hold: the right answer, or a way to go on."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from exactdp.cli.application import exactdp_command
from exactdp.cli.commands import COMMANDS as COMMAND_NAMES
from exactdp.errors import ExactDPError, InputError
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import Mechanism
from tests.cli.running import exactdp
from tests.ledger.tables_of import workbook_bytes
from tests.ledger.test_totals import HEADER

ROW = "Release,Date,{},{},{}\nWeekly,2026-02-01,0.1,0,52\n"
TOTAL = (
    "Release;Date;Epsilon;Delta;Count\r\nWeekly report;01.02.2026;0.1;1e-9;52\r\n"
    "Survey;15.03.2026;0.25;0;4\r\nTotal;;6.2;;56\r\n"
)
GERMAN = (
    "Release;Date;Epsilon;Delta;Runs\r\nWeekly report;01.02.2026;0,1;1e-9;52\r\n"
    "Survey;15.03.2026;0,25;0;4\r\n"
)
ANSWERED = {
    "german.csv": (GERMAN, 56, "31/5"),
    "scicomma.csv": ('Release,Epsilon\nWeekly,"1,5e-1"\n', 1, "3/20"),
    "bom.csv": ("\ufeffRelease,Epsilon\nWeekly,0.1\n", 1, "1/10"),
    "eps.csv": (ROW.format("eps", "delta", "count"), 52, "26/5"),
    "greek.csv": (ROW.format("ε", "δ", "count"), 52, "26/5"),
    "units.csv": (ROW.format("Epsilon (nats)", "Delta", "# of runs"), 52, "26/5"),
    "runs52.csv": ("release,epsilon,Runs\nWeekly,0.1,52\n", 52, "26/5"),
    "runs520.csv": ("release,epsilon,Runs\nWeekly,0.1,520\n", 520, "52"),
    "spaces.csv": ("Release,Epsilon\nWeekly,0.1 \nDaily, 0.2\n", 2, "3/10"),
    "swapped.csv": ("Release,Epsilon,delta\nWeekly,1e-6,0.5\n", 1, "1/1000000"),
    "total.csv": (TOTAL, 56, "31/5"),
}
WEEKLY: list[object] = ["Weekly", "", 0.1, 0, 52]
DAILY: list[object] = ["Daily", "", 0.2, 0, 3]
LABELLED: list[list[object]] = [[*HEADER], WEEKLY]
CENSUS: list[list[object]] = [
    ["Query", "Geography", "rho"],
    ["TOTAL", "US", 0.0026],
    ["AGE", "State", 0.1416],
    ["Total", "", "=SUM(C2:C3)"],
]
BOOKS: dict[str, tuple[list[list[object]], int, str]] = {
    "runs.xlsx": ([["Release", "Epsilon", "Runs"], ["Weekly", 0.1, 52]], 52, "26/5"),
    "sum.xlsx": ([*LABELLED, DAILY, ["Total", "", "=SUM(C2:C3)", 0, 55]], 55, "29/5"),
    "total.xlsx": ([*LABELLED, DAILY, ["Total", "", 5.8, 0, 1]], 55, "29/5"),
    "title.xlsx": ([["Privacy budget 2026"], [""], *LABELLED], 52, "26/5"),
    "census.xlsx": (CENSUS, 2, "721/5000"),
}


def _total(path: Path) -> tuple[int, str]:
    """How many mechanisms there are, and the sum of their parameters."""
    entries = read_ledger(path).mechanisms
    sizes = [each.epsilon.rational if isinstance(each, Mechanism) else each.rho for each in entries]  # type: ignore[attr-defined]  # of ρ here
    added = sum(size * each.count for size, each in zip(sizes, entries, strict=True))
    return sum(each.count for each in entries), str(added)


@pytest.mark.parametrize("name", ANSWERED)
def test_a_table_of_people_is_read_as_they_mean_it(name: str, tmp_path: Path) -> None:
    text, size, epsilon = ANSWERED[name]
    (tmp_path / name).write_bytes(text.encode())
    assert _total(tmp_path / name) == (size, epsilon)


@pytest.mark.parametrize("name", BOOKS)
def test_a_workbook_of_people_is_read_as_they_mean_it(name: str, tmp_path: Path) -> None:
    rows, size, epsilon = BOOKS[name]
    (tmp_path / name).write_bytes(workbook_bytes(*rows))
    assert _total(tmp_path / name) == (size, epsilon)


def _one(cell: str, more: str = "") -> str:
    return f"Release,Epsilon{more and ',delta'}\nWeekly,{cell}{more}\n"


REFUSED: dict[str, tuple[str, str]] = {
    **{
        name: (_one(cell), "line 2, column Epsilon")
        for name, cell in {
            "approx.csv": "~0.1", "dollar.csv": "$0.1", "lt.csv": "<0.1", "unit.csv": "0.1ε",
            "percent.csv": "10%", "range.csv": "0.1-0.2", "ln3.csv": "ln 3", "log3.csv": "log(3)",
            "nbsp.csv": "1\u00a0000", "thousands.csv": '"1,000"', "inf.csv": "inf",
            "nan.csv": "NaN", "neg.csv": "-0.1",
        }.items()
    },
    "minus.csv": (_one("0.1", ",1e\u22126"), "line 2, column delta"),
    "sup.csv": (_one("0.1", ",10⁻⁶"), "line 2, column delta"),
    "times.csv": (_one("0.1", ",1×10^-6"), "line 2, column delta"),
    "nodelta.csv": ("Release,Epsilon,delta,count\nWeekly,0.1,,3\n", "write 0 for a pure mechanism"),
    "count0.csv": ("Release,Epsilon,delta,count\nWeekly,0.1,0,0\n", "from 1 to 10.18"),
    "counte.csv": ("Release,Epsilon,delta,count\nWeekly,0.1,0,1e3\n", "line 2, column count: 1e3"),
    "countf.csv": ("Release,Epsilon,delta,count\nWeekly,0.1,0,52.0\n", "column count: 52.0"),
    "dup.csv": ("Release,Epsilon,epsilon\nWeekly,0.1,0.1\n", "stands twice.*--remark epsilon"),
    "emptyrows.csv": (
        "Release,Date,privacy budget,epsilon\nWeekly,2026-02-01,1,0.1\n,,,\n\nSurvey,,1,0.2\n",
        "line 2, column privacy budget: 1: .*--remark 'privacy budget'",
    ),
    "extra.csv": ("Release,Epsilon\nWeekly,0.1,3\n", "expected 2 cells .Release, Epsilon., not 3"),
    "headonly.csv": ("Release,Epsilon\n", '"empty": true'),
    "noheader.csv": ("Weekly,0.1,3\nDaily,0.2,4\n", "put that line above the numbers"),
    "gauss.json": ('{"mechanisms":[{"gaussian":1.1}]}', "did you mean sigma with sensitivity"),
    "gauss.csv": ("Release,gaussian\nWeekly,20\n", "that it states: sigma, laplace, rho"),
    "run.json": (
        '{"noise_multiplier":1,"sample_rate":0.1,"steps":9,"clip_every":2}',
        "clip_every: 2: expected of a training, no key but noise_multiplier",
    ),
    "nan.json": ('{"mechanisms":[{"epsilon":NaN}]}', r"mechanisms\[0\].epsilon: NaN"),
    "nb.json": ('{"mechanisms":[{"epsilon":0.1}],"neighbouring":"add/remove"}', "add-remove-one"),
    "none.json": ('{"mechanisms":[]}', '"empty": true'),
    "typo.json": ('{"mechanisms":[{"epsilon":0.1,"counts":3}]}', "did you mean count"),
    "us.json": ('{"mechanisms":[{"epsilon":1}],"neighboring":"x"}', "did you mean neighbouring"),
    "empty_sensitivity.csv": ("laplace,sensitivity\n10,10\n10,\n", "line 3, column sensitivity"),
}  # fmt: skip
UNDERSTOOD = {
    "list.json": ('[{"epsilon":0.1}]', ""),
    "single.json": ("{'mechanisms':[{'epsilon':0.1}]}", ""),
    "lr.json": ('{"noise_multiplier":1,"sample_rate":0.1,"steps":9,"lr":0.1}', "not read: lr"),
    "log.csv": ("timestamp,mechanism,epsilon\n1700000000.1,laplace,0.1\n", "columns timestamp"),
    "results.csv": ("sigma,rate,steps,delta,epsilon\n20,1,4,1e-5,7.1\n", "another tool's answer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_people_cannot_have_meant_so_is_refused_with_its_place_and_cure(
    name: str, place: Path
) -> None:
    text, words = REFUSED[name]
    (place / name).write_text(text, encoding="utf-8")
    answer = exactdp("compose", name, "--delta", "1e-6")
    assert answer.code == (3 if name in ("headonly.csv", "none.json") else 2)
    assert answer.out == ""
    with pytest.raises(ExactDPError, match=words):
        raise InputError(field="x", value="y", expected=answer.err)


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_what_people_can_only_have_meant_so_is_read_and_what_was_not_is_named(
    name: str, place: Path
) -> None:
    text, unread = UNDERSTOOD[name]
    (place / name).write_text(text, encoding="utf-8")
    answer = exactdp("compose", name, "--delta", "1e-6")
    assert answer.code == 0
    assert unread in answer.err
    assert bool(answer.err) == bool(unread)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_another_encoding_is_named(encoding: str, place: Path) -> None:
    (place / "a.csv").write_bytes("Release,Epsilon\nWeekly é,0.1\n".encode(encoding))
    answer = exactdp("compose", "a.csv", "--delta", "1e-6")
    assert (answer.code, "save the file as UTF-8" in answer.err) == (2, True)


# --- commands -----------------------------------------------------------------------------------

EMPTY = {"a.json": '{"mechanisms": []}', "a.csv": "epsilon\n"}
COMMANDS: dict[str, tuple[str, ...]] = {
    "compose": ("--delta", "1e-6"),
    "profile": ("--epsilon", "1"),
    "certify": ("--epsilon", "1", "--delta", "1e-6"),
    "risk": (),
    "bounds": ("--delta", "1e-6"),
    "budget": ("--epsilon", "1", "--delta", "1e-6"),
    "audit": (),
    "report": ("--delta", "1e-6", "-o", "page.html"),
    "crosscheck": ("--delta", "1e-6", "--value", "1"),
}
POLICY = """\
format = "exactdp-policy/1"
ledgers = ["a.*"]
[[budgets]]
scope = "each"
epsilon = 3
delta = 1e-6
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_of_no_mechanisms_nothing_is_proved_by_any_command(command: str, place: Path) -> None:
    for name, text in EMPTY.items():
        (place / name).write_text(text)
        answer = exactdp(command, name, *COMMANDS[command])
        assert (answer.code, answer.out) == (3, ""), answer
        assert "at least one mechanism" in answer.err
    (place / "a.json").write_text('{"mechanisms": [], "empty": true}')
    assert exactdp(command, "a.json", *COMMANDS[command]).code == 0


@pytest.mark.parametrize("name", EMPTY)
def test_a_gate_is_not_passed_by_nothing(name: str, place: Path) -> None:
    (place / name).write_text(EMPTY[name])
    (place / "exactdp.toml").write_text(POLICY)
    for arguments in ((), ("--policy", "exactdp.toml", name)):
        answer = exactdp("gate", *arguments, "--json")
        assert answer.code == 3
    (place / name).unlink()
    (place / "a.json").write_text('{"mechanisms": [], "empty": true}')
    assert exactdp("gate").code == 0


def test_a_gate_counts_the_runs_of_a_table_and_names_what_was_not_read(place: Path) -> None:
    (place / "a.csv").write_text("release,epsilon,Runs\nWeekly,0.1,520\n")
    (place / "exactdp.toml").write_text(POLICY)
    answer = exactdp("gate", "--json")
    assert answer.code == 1
    assert answer.document["reading"] == [
        "a.csv: not read as parameters: column release (the label)"
    ]
    assert "a.csv: not read as parameters: column release (the label)" in answer.err
    (place / "a.csv").write_text("release,epsilon,users\nWeekly,0.1,520\n")
    assert exactdp("gate").code == 2
    assert exactdp("gate", "--remark", "users").code == 0


SAID = "a.csv: not read as parameters: columns release (the label), users"


@pytest.mark.parametrize("command", COMMANDS)
def test_what_was_not_read_is_named_by_every_command(command: str, place: Path) -> None:
    (place / "a.csv").write_text("release,epsilon,users\nWeekly,0.1,520\n")
    refused = exactdp(command, "a.csv", *COMMANDS[command])
    assert (refused.code, "--remark users" in refused.err) == (2, True)
    answer = exactdp(command, "a.csv", *COMMANDS[command], "--remark", "users", "--json")
    assert answer.code in (0, 1)
    assert (SAID in answer.err, answer.document["reading"]) == (True, [SAID])


@pytest.mark.slow
def test_a_page_and_many_answers_name_it_too(place: Path) -> None:
    (place / "a.csv").write_text("release,epsilon,users\nWeekly,0.1,520\n")
    (place / "b.csv").write_text("epsilon\n0.1\n")
    asked = ("--delta", "1e-6", "--remark", "users")
    assert exactdp("report", "a.csv", *asked, "-o", "page.html").code == 0
    assert (
        "not read as parameters: columns release (the label), users"
        in (place / "page.html").read_text()
    )
    many = exactdp("compose", "a.csv", "b.csv", *asked, "--jobs", "1")
    assert many.code == 0
    assert (
        '"file":"a.csv","reading":["not read as parameters: columns release (the label), users"]'
        in many.out
    )


def test_certificates_are_verified_against_a_table_with_remarks(place: Path) -> None:
    (place / "a.csv").write_text("epsilon,users\n0.1,520\n")
    said = ("--remark", "users")
    made = exactdp("compose", "a.csv", "--delta", "0", "--certificates", ".", *said)
    assert made.code == 0
    assert exactdp("verify", "a.upper.json", "--ledger", "a.csv").code == 2
    assert exactdp("verify", "a.upper.json", "--ledger", "a.csv", *said).code == 0
    assert exactdp("convert", "a.csv", "a.json", *said).code == 0
    assert exactdp("verify", "a.upper.json", "--ledger", "a.json").code == 0


def test_a_ledger_that_is_meant_to_be_empty_has_a_certificate(place: Path) -> None:
    (place / "a.json").write_text('{"mechanisms": [], "empty": true}')
    claimed = ("--epsilon", "0", "--delta", "0", "-o", "c.json")
    assert exactdp("certify", "a.json", *claimed).code == 0
    assert exactdp("verify", "c.json", "--ledger", "a.json").code == 0


@pytest.mark.parametrize("from_", ["opendp", "tumult", "csv", "smartnoise-sql"])
def test_an_empty_record_is_no_ledger_and_no_log(from_: str, place: Path) -> None:
    (place / "a.json").write_text("")
    assert exactdp("convert", "a.json", "--from", from_, "--to", "json").code == 2
    made = exactdp("filter", "import", "w.log", "a.json", "--from", from_, "--budget", "epsilon=1")
    assert (made.code, (place / "w.log").exists()) == (2, False)


TUMULT = "".join(f"PureDPBudget(epsilon={each})\n" for each in ("2.5", "1.5", "0.5"))


def test_budgets_that_fall_ask_whether_they_were_spent_or_remained(place: Path) -> None:
    (place / "t.txt").write_text(TUMULT)
    asked = exactdp("compose", "t.txt", "--delta", "0")
    assert (asked.code, "--spent" in asked.err, "--remaining" in asked.err) == (2, True, True)
    for said, total in (("--spent", "4.5"), ("--remaining", "2")):
        answer = exactdp("compose", "t.txt", "--delta", "0", said, "--json")
        assert answer.result["exact"] == total
        log = f"{total}.log"
        made = exactdp("filter", "import", log, "t.txt", "--from", "tumult", said,
                       "--budget", "epsilon=9", "--json")  # fmt: skip
        assert made.result["spent"]["size"] == {"4.5": "9/2", "2": "2"}[total]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PureDPBudget(epsilon=1)\nPureDPBudget(epsilon=x)\n", "epsilon at line 2: x"),
        ("PureDPBudget(epsilon=1)\nPureDPBudget(epsilon=2)\n", "line 2: 2: expected no more than"),
        ("PureDPBudget(epsilon=1)\nRhoZCDPBudget(rho=0.5)\n", "rho at line 2: 0.5: .*same kind"),
        ("PureDPBudget(epsilon=1)\n", "at least one mechanism"),
    ],
)
def test_what_cannot_have_remained_is_refused_at_its_line(
    text: str, words: str, place: Path
) -> None:
    (place / "t.txt").write_text(text)
    answer = exactdp("compose", "t.txt", "--delta", "0", "--remaining")
    assert answer.code in (2, 3)
    with pytest.raises(ExactDPError, match=words):
        raise InputError(field="x", value="y", expected=answer.err)


@pytest.mark.parametrize("numbers", ["0.5 0.5", "0.5", "0.5 1.5 2.5", "0.5 1.5 0.5"])
def test_budgets_that_do_not_fall_are_spends(numbers: str, place: Path) -> None:
    (place / "t.txt").write_text("".join(f"PureDPBudget(epsilon={n})\n" for n in numbers.split()))
    assert read_ledger(place / "t.txt").size == len(numbers.split())


def test_an_import_with_a_header_alone_makes_no_log(place: Path) -> None:
    (place / "a.csv").write_text("time,epsilon\n")
    made = exactdp("filter", "import", "w.log", "a.csv", "--from", "csv", "--budget", "rho=1")
    assert (made.code, (place / "w.log").exists()) == (3, False)


def _reads_a_ledger(command: click.Command) -> bool:
    names = [str(each.metavar) for each in command.params if isinstance(each, click.Argument)]
    options = {name for each in command.params for name in each.opts}
    return "LEDGER" in " ".join(names) or not options.isdisjoint({"--ledger", "--mechanism"})


def test_every_command_that_reads_a_ledger_can_be_told_what_it_does_not_say() -> None:
    context = click.Context(exactdp_command)
    commands = {name: exactdp_command.get_command(context, name) for name in COMMAND_NAMES}
    reading = {name: each for name, each in commands.items() if each and _reads_a_ledger(each)}
    assert {"audit", "gate", "verify", "attest", "convert", "hunt", "papers"} < reading.keys()
    for name, command in reading.items():
        options = {option for each in command.params for option in each.opts}
        assert {"--remark", "--spent", "--remaining"} <= options, name


@pytest.mark.parametrize("name", ["gaussian", "normal", "std", "noise"])
def test_noise_without_a_parameter_is_not_taken_for_its_nearest_name(name: str) -> None:
    answer = exactdp("compose", "-m", f"{name}=20", "--delta", "1e-6")
    assert (answer.code, "did you mean" in answer.err) == (2, False)
    assert "sigma=20 by its deviation, variance=400" in answer.err
