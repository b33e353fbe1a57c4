"""One extractor in a process of its own, run by a Python that has it: reads texts, then orders.

    PYTHON worker.py ADAPTER VARIANT corpora.json

`corpora.json` is lists of texts by name. The process extracts from the first text, prints "ready", and then answers
every line of JSON: ["round", NAME] with the processor seconds of all texts of that name, ["phrases", NAME] with what it
finds in each, ["memory", ""] with the most megabytes it has had.
"""

import json
import sys
import time
from pathlib import Path

MOST_MEMORY = 8 << 30  # bytes of address space: fail rather than take all memory of the machine


def megabytes() -> float:
    """Return the most memory that this process has had."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise OSError("this system does not tell")


def main() -> None:
    name, variant, path = sys.argv[1:4]
    answers, sys.stdout = sys.stdout, sys.stderr  # what the tool itself prints must not mix with the answers
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    corpora = json.loads(Path(path).read_text(encoding="utf-8"))
    from adapters import ADAPTERS, OURSELVES  # beside this script

    extract = ADAPTERS.get(name, OURSELVES).extractor(variant)
    extract(next(iter(corpora.values()))[0])
    print('"ready"', file=answers, flush=True)
    for line in sys.stdin:
        order, which = json.loads(line)
        if order == "memory":
            answer: object = megabytes()
        elif order == "phrases":
            answer = [extract(text) for text in corpora[which]]
        else:
            start = time.process_time()
            for text in corpora[which]:
                extract(text)
            answer = time.process_time() - start
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
