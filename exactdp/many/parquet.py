r"""Results as a file of Parquet, through pyarrow (extra ``parquet``)."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import islice
from typing import Final

from exactdp.errors import InputError
from exactdp.many.reading_store import Row

_GROUP: Final = 10_000


def parquet_of(names: list[str], rows: Iterable[Row]) -> bytes:
    """The bytes of a file with these columns: whole numbers as such, all else as text.

    Raises:
        InputError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        from pyarrow import parquet  # noqa: PLC0415 (as above)
    except ImportError:
        raise InputError(
            field="pyarrow",
            value="not installed",
            expected="the extra parquet",
            remedy="pip install 'exactdp[parquet]', or name a file that ends in .csv",
        ) from None
    schema = pa.schema(
        [(name, pa.int64() if name == "exit_code" else pa.string()) for name in names]
    )
    target = io.BytesIO()
    iterator = iter(rows)
    with parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        while group := [*islice(iterator, _GROUP)]:
            columns = zip(*group, strict=True)
            writer.write_table(pa.table([*map(list, columns)], schema=schema))
    return target.getvalue()
