"""Whether compiled and interpreted kernels agree: analyses and keyphrases of real documents, number by number.

    python benchmarks/parity.py --data DIR --documents 300

Runs itself once more with PHRASEMILL_INTERPRETED=1 and compares what both processes print.
"""

import hashlib
import json
import os
import subprocess
import sys

import phrasemill as pm
from phrasemill.kernels import is_compiled, tokens
from phrasemill.lab.bench.corpora import NEURAL, TRAINED, texts
from phrasemill.lab.bench.scripts import parser
from phrasemill.registry import METHODS
from phrasemill.text.analyse import analyse

# Interpreted graph methods take minutes for a whole paper: analyses are of all of it, keyphrases of its beginning.
BEGINNING = 4000


def digests(documents: list[str]) -> list[str]:
    """Return one digest per document: every column of its analysis, every keyphrase and score of every method."""
    found = []
    for text in documents:
        analysis = analyse(text)
        columns = ("start", "end", "kind", "tag", "word", "stem", "sentences", "words", "stems")
        content = [list(getattr(analysis, column)) for column in columns]
        for name in METHODS.names():
            if name in (*NEURAL, *TRAINED):
                continue
            content.append([[k.text, k.score, k.spans] for k in pm.extract(text[:BEGINNING], method=name, top=None)])
        found.append(hashlib.sha256(json.dumps(content).encode()).hexdigest())
    return found


def main() -> None:
    options = parser(__doc__, data=False, pattern="*.jsonl.gz", documents=1000, measures=False)
    options.add_argument("--worker", action="store_true", help="print digests and stop")
    given = options.parse_args()
    # A slice of each file, so that abstracts, papers, news and raw PDF text all take part.
    paths = sorted(given.data.glob(given.pattern)) if given.data else []
    share = -(-given.documents // max(1, len(paths)))
    documents = [text for path in paths for text in texts(given.data, path.name, share)][: given.documents]
    documents = documents or texts(None, "", given.documents)
    own = digests(documents)
    if given.worker:
        print(json.dumps([is_compiled(tokens), own]))
        return
    environment = os.environ | {"PHRASEMILL_INTERPRETED": "1"}
    command = [sys.executable, *sys.argv, "--worker"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    compiled, others = json.loads(done.stdout)
    same = sum(a == b for a, b in zip(own, others, strict=True))
    forms = ["compiled" if one else "interpreted" for one in (is_compiled(tokens), compiled)]
    print(f"{' against '.join(forms)}: ", end="")
    print(f"{same} of {len(documents)} documents ({len(paths)} files) are identical")
    sys.exit(same != len(documents))


if __name__ == "__main__":
    main()
