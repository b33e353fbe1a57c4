"""Whether builds of this project return the same bytes: phrases, scores and places on texts of five kinds.

    python lab/benchmarks/same_results.py main src --data DIR [--methods learned,yake] [--documents 120]

A build is a folder to import from, with its kernels compiled, or a revision of this repository, which is checked out
and compiled in a temporary folder. By default there are some 850 texts. The exit code is 1 if any has other results.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from phrasemill_lab.bench.corpora import texts
from phrasemill_lab.bench.scripts import MarkdownRows, parser

# By kind: files, and what share of `--documents` comes from each.
KINDS = {
    "abstracts": {
        "inspec_train.jsonl.gz": 1.0,
        "kp20k_small_valid.jsonl.gz": 0.5,
        "pubmedake_sample1000.jsonl.gz": 0.5,
    },
    "papers": {"krapivin_train.jsonl.gz": 0.3, "semeval2010_official_train.jsonl.gz": 0.2},
    "news": {"500n_kpcrowd_train.jsonl.gz": 0.5, "multilingual/wikinews_en_rated.jsonl.gz": 0.5},
    "everyday": {"everyday/en_train.jsonl.gz": 1.0},
    "other languages": {
        **{
            f"everyday/{code}_train.jsonl.gz": 0.2
            for code in ("de", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh")
        },
        **{f"multilingual/{name}_valid.jsonl.gz": 0.2 for name in ("csl_zh", "kirjastonhoitaja_fi", "russia_today")},
    },
}
METHODS = (
    "learned,firstphrases,kpminer,multipartiterank,positionrank,rake,singlerank,textrank,tfidf,topicalpagerank,"
    "topicrank,yake"
)

# Runs in every build, so it calls nothing but what all of them have. Scores are written to the last bit.
WORK = """
import hashlib, json, sys
import phrasemill
methods, texts = json.load(sys.stdin)
for method in methods:
    for result in phrasemill.extract_batch(texts, method=method):
        found = [(one.text, one.score.hex(), [tuple(span) for span in one.spans]) for one in result]
        print(hashlib.sha256(repr(found).encode()).hexdigest()[:16])
"""


ROOT = Path(__file__).parents[2]
KERNELS = Path("src", "phrasemill", "kernels")


@contextmanager
def built(name: str) -> Iterator[str]:
    """A folder to import from: `name` itself, or that of a revision, compiled."""
    if Path(name).is_dir():
        yield name
        return
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "checkout"
        _run("git", "worktree", "add", "--detach", str(folder), name, cwd=ROOT)
        try:
            if not _copied_kernels(folder):
                _run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", cwd=folder)
            yield str(folder / "src")
        finally:
            _run("git", "worktree", "remove", "--force", str(folder), cwd=ROOT)


def _copied_kernels(folder: Path) -> bool:
    """Copy what this checkout has compiled, and return whether that is enough: the sources are the same."""
    compiled = [path for path in (ROOT / KERNELS).iterdir() if path.suffix in (".so", ".pyd")]
    for path in compiled:
        shutil.copy2(path, folder / KERNELS)
    sources = [
        {path.name: path.read_bytes() for path in (root / KERNELS).iterdir() if path.suffix in (".py", ".pyx", ".pxd")}
        for root in (ROOT, folder)
    ]
    return bool(compiled) and sources[0] == sources[1]


def _run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit("\n".join(done.stderr.splitlines()[-3:]))


def digests(folder: str, asked: str) -> list[str]:
    """Return the digest of the results of each method for each text, in a fresh process of a build."""
    command, environment = [sys.executable, "-c", WORK], os.environ | {"PYTHONPATH": folder}
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return done.stdout.split()


def main() -> int:
    options = parser(__doc__, documents=120, measures=False)
    options.add_argument("builds", nargs=2, metavar="BUILD", help="a folder to import from, or a revision")
    options.add_argument("--methods", default=METHODS, help="(default: %(default)s)")
    given = options.parse_args()
    methods = given.methods.split(",")
    rows = MarkdownRows("kind", "texts", *methods)
    all_same = True
    with built(given.builds[0]) as first, built(given.builds[1]) as second:
        for kind, files in KINDS.items():
            found = [
                text
                for file, share in files.items()
                for text in texts(given.data, file, round(share * given.documents))
            ]
            before, after = (digests(folder, json.dumps([methods, found])) for folder in (first, second))
            same = [one == other for one, other in zip(before, after, strict=True)]
            all_same &= all(same)
            counts = [sum(same[i * len(found) : (i + 1) * len(found)]) for i in range(len(methods))]
            rows.add(kind, str(len(found)), *(f"{count} the same" for count in counts))
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
