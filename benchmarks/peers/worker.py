"""One extractor in a process of its own, run by a Python that has it: reads texts, then orders.

    PYTHON benchmarks/peers/worker.py ADAPTER VARIANT texts.json [MODEL]

It prints `ready`; for every line `round` that it reads, the processor seconds of all texts; for `phrases`, what it
finds in each, as JSON. The adapter is loaded by its path, so that its name does not hide the peer's.
"""

import json
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ADAPTERS = Path(__file__).parent / "adapters"


def adapter(name: str) -> ModuleType:
    """Return the module in `adapters/` that is called `name`."""
    spec = spec_from_file_location(f"adapter_{name}", ADAPTERS / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    name, variant, path = sys.argv[1:4]
    answers, sys.stdout = sys.stdout, sys.stderr  # what the peer itself prints must not mix with the answers
    texts = json.loads(Path(path).read_text(encoding="utf-8"))
    extract = adapter(name).extractor(variant, sys.argv[4] if len(sys.argv) > 4 else "")
    extract(texts[0])
    print("ready", file=answers, flush=True)
    for order in sys.stdin:
        if order.strip() == "phrases":
            print(json.dumps([extract(text) for text in texts]), file=answers, flush=True)
        else:
            start = time.process_time()
            for text in texts:
                extract(text)
            print(time.process_time() - start, file=answers, flush=True)


if __name__ == "__main__":
    main()
