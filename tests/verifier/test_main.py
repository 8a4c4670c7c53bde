from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import exactdp.verifier.__main__ as command
from exactdp.verifier.__main__ import main, version
from tests.marking import slow_after
from tests.verifier import handmade

TWELVE: list[handmade.Entry] = [("1/10", "0", 12)]
GOOD = handmade.canonical_bytes(handmade.simple("sum", "upper", TWELVE, "6/5", "0"))
FALSE = handmade.canonical_bytes(handmade.simple("sum", "upper", TWELVE, "1", "0"))
LOWER = handmade.canonical_bytes(handmade.simple("sum", "lower", [("ln(3)", "0", 1)], "ln(2)", "0"))
LEDGER = b'{"mechanisms": [{"epsilon": 0.1, "count": 12}]}'
LINE = "ACCEPTED  ε ≤ 1.2 at δ = 0 for 12 mechanisms (upper, adaptive)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, data in {
        "good": GOOD,
        "false": FALSE,
        "bad": GOOD + b"\n",
        "ledger": LEDGER,
        "other": b'{"mechanisms": []}',
        "lower": LOWER,
    }.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["good"], 0),
        (["false"], 1),
        (["bad"], 2),
        (["good", "false"], 1),
        (["bad", "good", "false"], 2),
        (["good", "--max-cost", "1999"], 2),
        (["good", "--ledger", "ledger"], 0),
        (["good", "--ledger", "other"], 1),
        (["good", "--ledger", "bad"], 2),
        (["good", "--ledger", "missing"], 2),
        (["good", "--claim", "1.2,0"], 0),
        (["good", "--claim", "1/4 + ln(3), 0"], 0),
        (["good", "--claim", "1.1,0"], 1),
        (["good", "--claim", "x,0"], 2),
        (["missing"], 2),
        (["."], 2),
        (["\0"], 2),
    ],
)
@pytest.mark.usefixtures("folder")
def test_the_exit_code_is_that_of_the_worst_file(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    output = capsys.readouterr()
    assert output.err == ""
    assert len(output.out.splitlines()) == sum(not a.startswith("-") for a in arguments[:3]) - (
        arguments[1:2] in (["--ledger"], ["--claim"], ["--max-cost"])
    )


@pytest.mark.usefixtures("folder")
def test_one_file_is_one_line_and_several_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["good"])
    assert capsys.readouterr().out == f"{LINE}\n"
    main(["good", "missing"])
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"good: {LINE}"
    assert second == ("missing: MALFORMED  reason: cannot read missing: No such file or directory")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["lower", "lower", "--claim", "fpr=0.1,tpr=0.05"], 0, "ACCEPTED  2 statements"),
        (["lower", "--claim", "fpr=0.1,tpr=0.5"], 1, "do not settle the claim"),
        (["lower"], 2, "--together is about a --claim"),
        (["lower", "missing", "--claim", "fpr=0.1,tpr=0.05"], 2, "cannot read missing"),
        (["lower", "--claim", "fpr=0.1,tpr=0.05", "--ledger", "missing"], 2, "cannot read missing"),
        (["lower", "--claim", "fpr=0.1,tpr=0.05", "--ledger", "other"], 1, "ledger"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_files_together_have_one_verdict(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--together"]) == code
    [line] = capsys.readouterr().out.splitlines()
    assert said in line
    assert main([*arguments, "--together", "--json"]) == code
    [file] = json.loads(capsys.readouterr().out)["result"]["files"]
    assert said in file["line"]


@pytest.mark.usefixtures("folder")
def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["good", "bad", "--json", "--claim", "2,0.1"]) == 2
    output = json.loads(capsys.readouterr().out)
    assert (output["format"], output["command"]) == ("exactdp-output/1", "verify")
    good, bad = output["result"]["files"]
    assert (good["file"], good["status"], good["epsilon"]) == ("good", "accepted", "6/5")
    assert good["line"] == f"{LINE} — proves the claim (2, 0.1)"
    assert (bad["file"], bad["status"]) == ("bad", "malformed")
    assert bad["reason"] in bad["line"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["good", "--claim", "1"],
        ["good", "--max-cost", "-1"],
        ["good", "--max-cost", "1e3"],
        ["good", "--max-cost", "٣"],
        ["good", "--max-cost", "9" * 5000],
        ["good", "--unknown"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$") as stop:
        main(arguments)
    assert stop.value.code == 2


def test_a_dash_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD)))
    assert main(["-"]) == 0
    assert capsys.readouterr().out == f"{LINE}\n"


def test_an_interrupt_is_silent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "verify_bytes", interrupted)
    assert main([str(folder / "good")]) == 130
    assert capsys.readouterr().out == ""


def test_version_names_the_format_and_the_sources(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$") as stop:
        main(["--version"])
    assert stop.value.code == 0
    printed = capsys.readouterr().out.strip()
    assert printed == version()
    assert printed.startswith("exactdp-verifier 1 (format exactdp-certificate/1) sha256:")


def test_the_module_runs_as_a_program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["exactdp.verifier", str(folder / "good")])
    monkeypatch.delitem(sys.modules, "exactdp.verifier.__main__")
    with pytest.raises(SystemExit, match=r"^0$") as stop:
        runpy.run_module("exactdp.verifier", run_name="__main__", alter_sys=True)
    assert stop.value.code == 0


def test_a_reader_that_goes_away_gets_no_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with io.TextIOWrapper(os.fdopen(write_end, "wb")) as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main([str(folder / "good")] * 3) == 141


# --- in a process of its own --------------------------------------------------------------------


def run(*arguments: str, data: bytes = b"", options: tuple[str, ...] = ()) -> tuple[int, str, str]:
    result = subprocess.run(
        [sys.executable, "-I", *options, "-m", "exactdp.verifier", *arguments],
        input=data,
        capture_output=True,
        check=False,
        env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
    )
    return result.returncode, result.stdout.decode(), result.stderr.decode()


LOST = [
    ("> /dev/full", "No space left on device"),
    (">&-", "closed"),
    ("> /dev/full 2>&-", ""),
    (">&- 2>&-", ""),
    (">&- 2> /dev/full", ""),
]


@pytest.mark.parametrize(
    "arguments", slow_after(1, ["good", "false", "good false", "good --json", "--version"])
)
@pytest.mark.parametrize(
    ("where", "reason"),
    [*LOST[:2], *(pytest.param(*each, marks=pytest.mark.slow) for each in LOST[2:])],
)
@pytest.mark.usefixtures("folder")
def test_a_verdict_that_is_lost_is_exit_code_2(arguments: str, where: str, reason: str) -> None:
    command = f"{sys.executable} -I -m exactdp.verifier {arguments} {where}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    said = f"exactdp-verifier: cannot write to standard output: {reason}\n" if reason else ""
    assert (done.returncode, done.stderr.decode(), done.stdout) == (2, said, b"")


class Full:
    """A stream of which every use fails, as on a disk without room."""

    def __getattr__(self, name: str) -> Full:
        return self

    def __call__(self, *_arguments: object) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("stream", [None, Full()], ids=["closed", "full"])
@pytest.mark.parametrize("told", [True, False], ids=["told", "nobody to tell"])
def test_in_one_process_too_a_lost_verdict_is_exit_code_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stream: Full | None, *, told: bool
) -> None:
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", errors if told else Full())
    assert main([str(folder / "good")]) == 2
    assert ("cannot write to standard output: " in errors.getvalue()) == told


def test_in_one_process_too_both_streams_may_be_closed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["-"]) == 2
    assert "cannot read -: closed" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main([str(folder / "good")]) == 2


def test_standard_input_may_be_closed() -> None:
    command = f"{sys.executable} -I -m exactdp.verifier - <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"")
    assert done.stdout == b"MALFORMED  reason: cannot read -: closed\n"


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-O",), ("-OO",), ("-W", "error")])
def test_optimisation_changes_nothing(options: tuple[str, ...]) -> None:
    assert run("-", data=GOOD, options=options) == (0, f"{LINE}\n", "")
    code, output, _ = run("-", data=FALSE, options=options)
    assert (code, output.split()[0]) == (1, "REJECTED")


@pytest.mark.parametrize(
    "data",
    slow_after(
        1,
        (b"[" * 10**6, b"", b"\0", b"9" * 10**7, b'"' + b"\\ud800" * 10 + b'"', bytes(17 * 2**20)),
    ),
    ids=["brackets", "nothing", "nul", "digits", "surrogates", "17 MiB"],
)
def test_hostile_bytes_are_one_line_and_exit_code_2(data: bytes) -> None:
    code, output, errors = run("-", data=data)
    assert (code, errors) == (2, "")
    assert output.startswith("MALFORMED  reason: ")
    assert output.count("\n") == 1
    assert len(output) < 320


def test_a_hostile_file_name_is_escaped() -> None:
    code, output, errors = run("\x1b[31m\n", "missing")
    assert (code, errors) == (2, "")
    assert "\x1b" not in output
    assert output.count("\n") == 2


def test_nothing_of_the_engine_is_imported() -> None:
    script = (
        "import sys, exactdp.verifier, exactdp.verifier.__main__\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}"
        " - set(sys.stdlib_module_names)), '|',"
        " *sorted(name for name in sys.modules if name.startswith('exactdp.')))"
    )
    result = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{script}",
        ],
        capture_output=True,
        check=True,
    )
    foreign, _, own = result.stdout.decode().partition("|")
    assert foreign.split() == ["__main__", "exactdp"]
    others = [name for name in own.split() if not name.startswith("exactdp.verifier")]
    assert others == ["exactdp.version"]  # a constant


ROOT = Path(__file__).resolve().parents[2]
