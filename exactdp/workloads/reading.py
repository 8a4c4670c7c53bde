r"""Reading and writing workloads, whatever their format.

Rules of this file: the content decides what a file is, not its name; whatever goes wrong outside
is an InputError.
"""

from __future__ import annotations

import os
from typing import IO

from exactdp.errors import InputError
from exactdp.ledger.formats.strict_json import decode_utf8
from exactdp.ledger.reading import content_of
from exactdp.mechanisms import Entry
from exactdp.workloads import json_workload, sql_workload
from exactdp.workloads.collations import BINARY
from exactdp.workloads.stated_noise import StatedNoise
from exactdp.workloads.workload import Workload

WorkloadSource = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]


def read_workload(
    source: WorkloadSource,
    *,
    domain: WorkloadSource | None = None,
    each: Entry | StatedNoise | None = None,
    collation: str | None = None,
) -> Workload:
    r"""Read a workload in JSON or SQL.

    Args:
        source: a path, "-" for standard input, the content as bytes, or an open file.
        domain: where a log in SQL finds its attributes: a JSON workload, whose queries (it may
            have none) come first.
        each: the parameters of SQL statements that state none.
        collation: "binary" if the database of a log in SQL tells all texts of the domain apart;
            None if that is not known.

    Raises:
        InputError: the file cannot be read or is not a workload.
        UnsupportedError: a neighbouring relation, or a statement, that is not supported.

    >>> domain = b'{"domain": {"age": {"size": 120}}, "queries": []}'
    >>> log = b"-- epsilon: 1/10\nSELECT COUNT(*) FROM people WHERE age < 18"
    >>> len(read_workload(log, domain=domain))
    1
    """
    try:
        data, name = content_of(source)
        if data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith((b"{", b"[")):
            return json_workload.read(data)
        text = decode_utf8(data, name)
    except InputError as error:
        raise _of_workload(error) from None
    if domain is None:
        raise InputError(
            field="--domain",
            value="nothing",
            expected="the attributes of the table, as a JSON workload without queries",
            remedy='for example: {"domain": {"age": {"size": 120}}, "queries": []}',
        )
    if collation not in (None, BINARY):
        raise InputError(
            field="collation", value=str(collation), expected=f"{BINARY}, or nothing if not known"
        )
    told_apart = collation == BINARY
    return sql_workload.read(text, read_workload(domain), each, told_apart=told_apart)


def write_workload(workload: Workload) -> str:
    """The text of a workload as JSON; equal workloads, equal texts."""
    return json_workload.write(workload)


def _of_workload(error: InputError) -> InputError:
    """The error, about a workload where it spoke of a ledger."""
    if error.field != "ledger":
        return error
    return type(error)(
        field="workload",
        value=error.value,
        path=error.path,
        expected=error.expected.replace("a ledger", "a workload"),
        remedy=error.remedy.replace("ledger", "workload"),
        code=error.code,
    )
