"""Policies are read strictly, and every refusal names its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactdp.errors import InputError
from exactdp.policies.policy import NAME, find_policies, read_policy

HEAD = 'format = "exactdp-policy/1"\nledgers = ["*.json"]\n'
BUDGET = '[[budgets]]\nscope = "each"\n'
ACCOUNTANT = "[[accountants]]\n"


def written(place: Path, text: str | bytes) -> Path:
    path = place / NAME
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_smallest_policy_asks_that_claims_hold(tmp_path: Path) -> None:
    policy = read_policy(written(tmp_path, HEAD))
    assert (policy.claims, policy.patterns) == ("hold", ("*.json",))
    assert (policy.budgets, policy.accountants) == ((), ())


def test_numbers_are_read_as_decimals(tmp_path: Path) -> None:
    text = HEAD + BUDGET + "epsilon = 0.1\ndelta = 1e-6\n" + ACCOUNTANT + 'name = "n"\ndelta = 0.3'
    policy = read_policy(written(tmp_path, text))
    claim = policy.budgets[0].claim
    assert claim.epsilon is not None
    assert (str(claim.epsilon), str(claim.delta)) == ("1/10", "1/1000000")
    assert str(policy.accountants[0].delta) == "3/10"


def test_a_budget_has_its_own_ledgers_or_those_of_the_policy(tmp_path: Path) -> None:
    text = HEAD + BUDGET + "rho = 1\n" + BUDGET + 'mu = "1/2"\nledgers = ["a.csv"]\n'
    policy = read_policy(written(tmp_path, text))
    assert [each.patterns for each in policy.budgets] == [("*.json",), ("a.csv",)]
    assert (policy.budgets[0].claim.rho, policy.budgets[1].claim.mu) == ("1", "1/2")


@pytest.mark.parametrize(
    ("text", "field", "path"),
    [
        (b"\xff", "policy", NAME),
        ("x = [", "policy", NAME),
        ("", "format", NAME),
        ('format = "exactdp-policy/2"', "format", NAME),
        ('format = "exactdp-policy/1"', "ledgers", NAME),
        (HEAD.replace('["*.json"]', '"*.json"'), "ledgers", NAME),
        (HEAD.replace('["*.json"]', "[1]"), "ledgers", NAME),
        (HEAD.replace('["*.json"]', '[""]'), "ledgers", NAME),
        (HEAD + 'claims = "perhaps"', "claims", NAME),
        (HEAD + "claims = true", "claims", NAME),
        (HEAD + "leddgers = []", "leddgers", NAME),
        (HEAD + "budgets = 3", "budgets", NAME),
        (HEAD + "[[budgets]]\nepsilon = 1", "scope", "budgets[0]"),
        (HEAD + BUDGET, "epsilon", "budgets[0]"),
        (HEAD + BUDGET + "delta = 0", "epsilon", "budgets[0]"),
        (HEAD + BUDGET + "rho = 1\nmu = 1", "epsilon", "budgets[0]"),
        (HEAD + BUDGET + "epsilon = true", "epsilon", "budgets[0]"),
        (HEAD + BUDGET + "epsilon = inf", "epsilon", "budgets[0]"),
        (HEAD + BUDGET + "epsilon = 1\ndelta = 2", "delta", "budgets[0]"),
        (HEAD + BUDGET + "epsilon = -1", "epsilon", "budgets[0]"),
        (HEAD + BUDGET + "rho = 1\n" + BUDGET + 'rho = "x"', "rho", "budgets[1]"),
        (HEAD + ACCOUNTANT, "name", "accountants[0]"),
        (HEAD + ACCOUNTANT + 'name = "x"\ndelta = "y"', "delta", "accountants[0]"),
        (HEAD + ACCOUNTANT + 'name = "x"\ncommand = "rm"', "command", "accountants[0]"),
    ],
)
def test_what_is_no_policy_is_refused_with_its_place(
    tmp_path: Path, text: str | bytes, field: str, path: str
) -> None:
    with pytest.raises(InputError, match=field) as caught:
        read_policy(written(tmp_path, text))
    assert (caught.value.field, path in caught.value.path) == (field, True)


def test_a_policy_above_a_mebibyte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at most 1048576 bytes"):
        read_policy(written(tmp_path, "#" * (2**20 + 1)))


@pytest.mark.parametrize("name", ["missing.toml", "\0"])
def test_a_policy_that_is_not_there_is_refused(name: str) -> None:
    [path] = find_policies(name)
    with pytest.raises(InputError, match="can be read"):
        read_policy(path)


def test_policies_are_found_below_but_not_in_hidden_folders(tmp_path: Path) -> None:
    for folder in (".", "b", "a/deep", ".git"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        written(tmp_path / folder, HEAD)
    found = [path.parent.relative_to(tmp_path).as_posix() for path in find_policies(str(tmp_path))]
    assert found == [".", "a/deep", "b"]


def test_a_folder_without_a_policy_is_refused_with_the_smallest_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exactdp-policy/1"):
        find_policies(str(tmp_path))


@pytest.mark.parametrize("pattern", ["/etc/*", "../*.json", "a/../../*", "."])
def test_patterns_stay_below_the_policy(tmp_path: Path, pattern: str) -> None:
    policy = read_policy(written(tmp_path, HEAD))
    with pytest.raises(InputError, match="pattern of files"):
        policy.files((pattern,))


def test_a_file_that_two_patterns_match_is_one_file(tmp_path: Path) -> None:
    policy = read_policy(written(tmp_path, HEAD))
    (tmp_path / "a.json").touch()
    (tmp_path / "b").mkdir()
    assert policy.files(("*.json", "a*", "*")) == [tmp_path / "a.json", tmp_path / NAME]
