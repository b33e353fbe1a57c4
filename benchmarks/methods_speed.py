"""Documents a second, raw text in and keyphrases out, one process and one core, beside other people's extractors.

    python benchmarks/methods_speed.py --data DIR --peers .peers/bin/python [--peers .keybert/bin/python]

The same texts for all, one after the other in one run; read the ratios, not the rates.
"""

import json
import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus import NEURAL, TRAINED, arguments, texts
from phrasemill.registry import METHODS
from phrasemill.text.analyse import analyse

ROUNDS = 3
# Which of our methods does what a peer does.
EQUIVALENT = {
    "yake": "yake",
    "kreuzberg_yake": "yake",
    "rake_nltk": "rake",
    "multi_rake": "rake",
    "kreuzberg_rake": "rake",
    "summa": "textrank",
    "rapid_textrank": "textrank",
    "rapid_singlerank": "singlerank",
    "rapid_positionrank": "positionrank",
    "rapid_multipartiterank": "multipartiterank",
    "keybert": "embedrank",
}
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def ours(name: str, documents: list[str]) -> float:
    """Seconds of the fastest round over all documents."""
    extract = METHODS.build(name).extract
    extract(documents[0])
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for text in documents:
            extract(text)
        times.append(time.perf_counter() - start)
    return min(times)


def theirs(name: str, peers: list[Path], documents: list[str]) -> float | None:
    """The same for a peer, in the first of the given environments that has it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(documents), encoding="utf-8")
        for python in peers:
            script = Path(__file__).parent / "peers.py"
            command = [str(python), str(script), name, str(path), str(ROUNDS if name != "keybert" else 1)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | ONE_THREAD)
            if done.returncode == 0:
                return float(json.loads(done.stdout.splitlines()[-1]))
    return None


def main() -> None:
    parser = arguments(__doc__, "inspec_train.jsonl.gz")
    parser.add_argument("--peers", type=Path, action="append", default=[], help="a Python that has some of them")
    parser.add_argument(
        "--slow", type=int, default=20, help="documents for methods with a neural network; 0 for none of them"
    )
    options = parser.parse_args()
    os.environ |= ONE_THREAD
    documents = texts(options.data, options.pattern, options.documents)
    tokens = sum(len(analyse(text)) for text in documents)
    print(f"{len(documents)} documents of {options.pattern}, {tokens / len(documents):.0f} tokens each on average\n")
    print("| method | documents/s | tokens/s |\n|---|---|---|", flush=True)
    rates: dict[str, float] = {}
    for name in [name for name in METHODS.names() if name not in TRAINED]:
        some = documents[: options.slow] if name in NEURAL else documents
        if not some:
            continue
        try:
            rates[name] = len(some) / ours(name, some)
        except Exception as error:
            print(f"| {name} | not run: {error} | |")
            continue
        shown = f"{rates[name]:,.0f}" if rates[name] > 20 else f"{rates[name]:.1f}"
        print(f"| `{name}` | {shown} | {rates[name] * tokens / len(documents):,.0f} |", flush=True)
    if not options.peers:
        return
    print("\n| peer | documents/s | ours | we are faster by |\n|---|---|---|---|", flush=True)
    for peer, mine in EQUIVALENT.items():
        some = documents[: options.slow] if mine in NEURAL else documents
        seconds = theirs(peer, options.peers, some) if some else None
        if seconds is None:
            print(f"| {peer} | not run | | |", flush=True)
        elif mine in rates:
            rate = len(some) / seconds
            print(f"| {peer} | {rate:,.1f} | `{mine}` | {rates[mine] / rate:,.1f} × |", flush=True)


if __name__ == "__main__":
    main()
