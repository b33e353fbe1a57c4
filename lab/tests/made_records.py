"""Files of records, as the laboratory reads them."""

import gzip
import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO

OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open}


def write(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with OPENERS.get(path.suffix, open)(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
