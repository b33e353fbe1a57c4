"""Whether checkouts of this project return the same bytes: phrases, scores and places on texts of five kinds.

    python benchmarks/same_results.py before=../old/src after=src --data DIR [--methods learned,yake] [--documents 120]

Each build is a folder to import from, with its kernels compiled. The exit code is 1 if any text has other results.
"""

import json
import os
import subprocess
import sys

from phrasemill.lab.bench.corpora import texts
from phrasemill.lab.bench.scripts import MarkdownRows, parser

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


def digests(folder: str, asked: str) -> list[str]:
    """Return the digest of the results of each method for each text, in a fresh process of a build."""
    command, environment = [sys.executable, "-c", WORK], os.environ | {"PYTHONPATH": folder}
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return done.stdout.split()


def main() -> int:
    options = parser(__doc__, documents=120, measures=False)
    options.add_argument("builds", nargs=2, metavar="NAME=FOLDER")
    options.add_argument("--methods", default=METHODS, help="(default: %(default)s)")
    given = options.parse_args()
    methods, folders = given.methods.split(","), [one.split("=", 1)[1] for one in given.builds]
    rows = MarkdownRows("kind", "texts", *methods)
    all_same = True
    for kind, files in KINDS.items():
        found = [
            text for file, share in files.items() for text in texts(given.data, file, round(share * given.documents))
        ]
        before, after = (digests(folder, json.dumps([methods, found])) for folder in folders)
        same = [one == other for one, other in zip(before, after, strict=True)]
        all_same &= all(same)
        counts = [sum(same[i * len(found) : (i + 1) * len(found)]) for i in range(len(methods))]
        rows.add(kind, str(len(found)), *(f"{count} the same" for count in counts))
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
