"""How fast and in how much memory datasets are built, over inputs that this script makes up.

PubMedAKE: JATS articles the size of an abstract, as files in folders and again in one tar.gz. StackEx: a dump of
gigabytes. Memory and processor time are those of the command and all its workers together, looked at twenty times a
second (Linux); processor time tells more than the clock where a machine is busy with other things.
"""

import os
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures

JATS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" \
"JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="en"><front>
<journal-meta><journal-id journal-id-type="nlm-ta">J Made Up</journal-id><journal-title-group><journal-title>Journal of
the Made Up</journal-title></journal-title-group><issn pub-type="epub">0000-0000</issn></journal-meta>
<article-meta><article-id pub-id-type="pmc">{id}</article-id><article-id pub-id-type="doi">10.0/{id}</article-id>
<title-group><article-title>{title}</article-title></title-group><contrib-group>{people}</contrib-group>
<abstract>{abstract}</abstract><kwd-group kwd-group-type="author"><title>Keywords</title>{keywords}</kwd-group>
</article-meta></front><body><sec><title>Introduction</title><p>{body}</p></sec></body></article>
"""
PERSON = (
    '<contrib contrib-type="author"><name><surname>{}</surname><given-names>A. B.</given-names></name>'
    '<xref ref-type="aff" rid="aff1"><sup>1</sup></xref></contrib>'
)
PER_FOLDER = 1000


class Words:
    """Made-up words, some more frequent than others."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        letters = "bcdfghklmnprstvz", "aeiou"
        self.known = ["".join(self.random.choice(letters[i % 2]) for i in range(4 + n % 7)) for n in range(20_000)]

    def some(self, count: int) -> str:
        return " ".join([self.known[int(len(self.known) * self.random.random() ** 3)] for _ in range(count)])


def article(words: Words, number: int) -> str:
    abstract = "".join(f"<sec><title>Part</title><p>{words.some(54)}</p></sec>" for _ in range(4))
    return JATS.format(
        id=number,
        title=words.some(14),
        people="".join(PERSON.format(words.some(1)) for _ in range(5)),
        abstract=abstract,
        keywords="".join(f"<kwd>{words.some(1 + i % 2)}</kwd>" for i in range(5)),
        body=words.some(100),
    )


def write_articles(folder: Path, count: int) -> None:
    words = Words(1)
    for number in range(count):
        below = folder / f"PMC{number // PER_FOLDER:05}xxx"
        if number % PER_FOLDER == 0:
            below.mkdir(parents=True)
        (below / f"PMC{number}.nxml").write_text(article(words, number), encoding="utf-8")


def post(words: Words, number: int) -> str:
    paragraphs = "".join(f"&lt;p&gt;{words.some(60)}&lt;/p&gt;&#xA;" for _ in range(words.random.randint(1, 4)))
    code = "&lt;pre&gt;&lt;code&gt;for (i = 0; i &amp;lt; n; i++) { x += i; }&lt;/code&gt;&lt;/pre&gt;" * (number % 3)
    if number % 5 > 1:
        return f'  <row Id="{number}" PostTypeId="2" ParentId="{number - 1}" Score="1" Body="{paragraphs}" />\n'
    tags = "".join(f"&lt;{words.some(1)}-{words.some(1)}&gt;" for _ in range(3))
    title = words.some(9)
    return f'  <row Id="{number}" PostTypeId="1" Score="1" Body="{paragraphs}{code}" Title="{title}" Tags="{tags}" />\n'


def write_dump(path: Path, size: int) -> int:
    """Write a dump of at least `size` bytes; return its number of posts. Rows are repeated with other ids."""
    words = Words(2)
    rows = [post(words, number) for number in range(5, 20_005)]
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        while written < size:
            number += 1
            row = rows[number % len(rows)]
            start = row.index('"') + 1
            written += file.write(f"{row[:start]}{number}{row[row.index(chr(34), start) :]}")
        file.write("</posts>\n")
    return number


class Run(NamedTuple):
    seconds: float
    processor: float  # seconds
    peak: int  # bytes

    def row(self, what: str, count: float, unit: str) -> list[str]:
        rates = [(f"{one:.1f} s", f"{count / one:,.0f} {unit}/s") for one in (self.seconds, self.processor)]
        return [what, *rates[0], *rates[1], f"{self.peak / 1e6:.0f} MB"]


def run(*arguments: str) -> Run:
    """Run the command, and watch the processes of its session."""
    begun, peak = time.perf_counter(), 0
    used: dict[str, float] = {}
    command = [sys.executable, "-m", "phrasemill", "dataset", "build", *arguments]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            members = list(session_of(process.pid))
            used |= {name: seconds for name, seconds, _ in members}
            peak = max(peak, sum(memory for *_, memory in members))
            time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return Run(time.perf_counter() - begun, sum(used.values()), peak)


def session_of(session: int) -> Iterator[tuple[str, float, int]]:
    """Yield the processes of a session: number, seconds of a processor, bytes in memory."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(") ")[2].split()
        except OSError:  # it is gone
            continue
        if int(fields[3]) == session:
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            yield folder.name, seconds, int(fields[21]) * os.sysconf("SC_PAGESIZE")


def pubmedake(folder: Path, count: int, jobs: int) -> Iterator[list[str]]:
    write_articles(folder / "articles", count)
    size = sum(path.stat().st_size for path in (folder / "articles").rglob("*.nxml"))
    with tarfile.open(folder / "articles.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.add(folder / "articles", "articles")
    for name in ("articles", "articles.tar.gz"):
        done = run("pubmedake", str(folder / name), "-o", str(folder / f"{name}.out"), "--jobs", str(jobs))
        yield done.row(f"PubMedAKE, {count:,} articles of {size / count / 1000:.1f} kB, {name}", count, "articles")


def stackex(folder: Path, gigabytes: float, jobs: int) -> Iterator[list[str]]:
    (folder / "made.up").mkdir()
    dump = folder / "made.up" / "Posts.xml"
    posts = write_dump(dump, int(gigabytes * 1e9))
    size = dump.stat().st_size
    shares = ("--valid", "0.05", "--test", "0.05")
    done = run("stackex", str(dump), "-o", str(folder / "stackex"), "--jobs", str(jobs), *shares)
    yield done.row(f"StackEx, {posts:,} posts, {size / 1e9:.1f} GB", size / 1e6, "MB")


def main() -> None:
    options = parser(__doc__, data=False)
    options.add_argument("--articles", type=int, default=100_000, help="0 leaves PubMedAKE out (default: %(default)s)")
    options.add_argument("--gigabytes", type=float, default=2.1, help="0 leaves StackEx out (default: %(default)s)")
    options.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    given = options.parse_args()
    table = MarkdownRows(
        "build", "time", "speed", "processor time", "speed", "peak memory, all processes", name="builders"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row in pubmedake(folder, given.articles, given.jobs) if given.articles else ():
            table.add(*row)
        for row in stackex(folder, given.gigabytes, given.jobs) if given.gigabytes else ():
            table.add(*row)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
