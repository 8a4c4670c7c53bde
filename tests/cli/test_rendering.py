"""Tables of a pipe, which are set without a library, and of a terminal, which are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.cli.folding import folded
from exactdp.cli.rendering import show
from exactdp.cli.tables import Cell, Table

UNLIMITED = 10_000
TEXTS = st.text(alphabet="ab ε≥·é漢字\u0301\x1b\n\t", max_size=12)
TITLES = TEXTS.filter(set("abε≥·é漢字").intersection)  # an accent alone is as wide as nothing
TITLED = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        st.tuples(*[TITLES] * width),
        st.lists(st.tuples(*[TEXTS] * width), max_size=4).map(tuple),
    )
)
FACTS = st.builds(
    Table,
    st.just(()),
    st.lists(st.tuples(st.one_of(st.just(""), TITLES), st.one_of(TEXTS, TITLED)), min_size=1).map(
        tuple
    ),
)


@given(st.lists(st.one_of(TEXTS, TITLED, FACTS), min_size=1, max_size=3))
def test_a_pipe_gets_the_table_that_a_terminal_of_unlimited_width_would_show(
    parts: list[Cell],
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        page: list[str] = []
        patched.setattr("exactdp.cli.rendering.write", page.append)
        show(*parts)
    assert page == ["".join(folded(part, UNLIMITED) for part in parts)]


def test_columns_start_below_each_other_however_wide_their_letters_are() -> None:
    table = Table(("α", "b"), (("漢字", "1"), ("abc", "2")))
    assert list(table.lines()) == ["α      b", "漢字   1", "abc    2"]


def test_a_table_without_rows_is_its_titles_or_nothing() -> None:
    assert list(Table(("a", "b"), ()).lines()) == ["a   b"]
    assert list(Table((), ()).lines()) == []
