"""One extractor in a process of its own, run by a Python that has it.

    PYTHON worker.py ADAPTER VARIANT

It answers every line of JSON: ["phrases", TEXTS] with what it finds in each text, ["costs", TEXTS] with the processor
seconds of all texts, and the most megabytes it has had.
"""

import json
import sys
import time
from pathlib import Path

MOST_MEMORY = 8 << 30  # bytes of address space: fail rather than take all memory of the machine


def megabytes() -> float | None:
    """Return the most memory that this process has had, where the system tells."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), None)


def main() -> None:
    name, variant = sys.argv[1:]
    answers, sys.stdout = sys.stdout, sys.stderr  # what the tool itself prints must not mix with the answers
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    import adapters  # beside this script

    extract = getattr(adapters, name)(variant)
    for line in sys.stdin:
        order, texts = json.loads(line)
        start = time.process_time()
        found = [extract(text) for text in texts]
        answer = found if order == "phrases" else [time.process_time() - start, megabytes()]
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
