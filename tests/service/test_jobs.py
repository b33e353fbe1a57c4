"""Jobs: many files in one upload, followed and downloaded by the client of the package."""

import csv
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import made_files
from phrasemill import extract
from phrasemill.client import Answer, Client, ServiceError
from served import PATIENCE, Served, served, until

WELLS = "Coastal wells pump groundwater. When wells pump too much groundwater, salt water moves inland."
REEFS = "Artificial reefs attract cod. Around wind turbines, artificial reefs grow on boulders."
TABLE = f'id,title,text\na,Wells,"{WELLS}"\nb,Reefs,"{REEFS}"\n'.encode()
PAGE = made_files.pdf([["Deep groundwater wells", "pump salt water."]])


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with two workers, and a folder for what methods leave behind."""
    folder = tmp_path_factory.mktemp("jobs")
    limits = {"job_documents": 30, "jobs": 20, "jobs_per_client": 0, "job_upload": 200_000, "step": 4.0}
    with served(folder / "logs", workers=2, marks=str(folder), limits=limits) as one:
        yield one


@pytest.fixture(scope="module")
def client(many: Served) -> Iterator[Client]:
    with Client(many.address, timeout=PATIENCE) as one:
        yield one


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def rows_of(client: Client, id: str) -> list[Answer]:
    return client.job_documents(id, limit=1000)


def test_a_folder_is_worked_on_file_by_file(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text(WELLS)
    (folder / "deep" / "b.md").write_text(f"# Reefs\n\n{REEFS}")
    (folder / "c.pdf").write_bytes(b"%PDF-1.4 nothing")
    begun = client.create_job([folder], top=3)
    assert begun.status in ("queued", "running")
    assert begun.expires is None
    job = client.wait(begun.id)
    assert (job.status, job.method, job.total, job.done, job.failed) == ("done", "learned", 3, 2, 1)
    assert job.expires is not None
    assert job.expires - datetime.now(UTC) > timedelta(minutes=55)
    rows = {row.file: row for row in rows_of(client, job.id)}
    assert sorted(rows) == ["papers/a.txt", "papers/c.pdf", "papers/deep/b.md"]
    expected = extract(WELLS, top=3)
    assert rows["papers/a.txt"].keyphrases == tuple(type(one)(one.text, one.score) for one in expected)
    assert (rows["papers/a.txt"].language, rows["papers/a.txt"].kind) == ("en", "everyday")
    failed = rows["papers/c.pdf"]
    assert (failed.status, failed.can_retry) == ("failed", False)
    assert failed.problem is not None and "damaged PDF" in str(failed.problem)
    whole = client.job_document(job.id, rows["papers/a.txt"].number)
    assert (whole.text, whole.keyphrases) == (WELLS, tuple(expected))
    assert client.job_document(job.id, failed.number).problem is not None


def test_archives_and_files_of_records_count_as_their_documents(client: Client) -> None:
    lines = "".join(json.dumps({"id": id, "text": WELLS}) + "\n" for id in "xy").encode()
    junk = {"__MACOSX/deep/one.txt": b"junk", "picture.png": b"png"}
    archive = zipped({"deep/one.txt": WELLS.encode(), "two.csv": TABLE, **junk})
    job = client.create_job([("files.zip", archive), ("lines.jsonl", lines), (".hidden.txt", b"junk"), ("z.txt", b"")])
    assert job.total is None or job.ended
    job = client.wait(job.id)
    assert (job.status, job.total, job.failed) == ("done", 6, 1)
    rows = rows_of(client, job.id)
    assert [row.number for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {(row.file, row.id) for row in rows} == {
        ("files.zip/deep/one.txt", "files.zip/deep/one.txt"),
        ("files.zip/two.csv", "a"),
        ("files.zip/two.csv", "b"),
        ("lines.jsonl", "x"),
        ("lines.jsonl", "y"),
        ("z.txt", "z.txt"),
    }
    assert [str(row.problem) for row in rows if row.problem] == ["A document cannot be read: z.txt: the file is empty"]


def test_a_damaged_archive_keeps_what_can_be_read(client: Client) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name in ("one.txt", "two.txt"):
            head = tarfile.TarInfo(name)
            head.size = len(WELLS)
            archive.addfile(head, io.BytesIO(WELLS.encode()))
    job = client.wait(client.create_job([("files.tar", made.getvalue()[:1100])]).id)
    assert (job.done, job.failed) == (1, 1)
    assert [row.file for row in rows_of(client, job.id)] == ["files.tar/one.txt", "files.tar"]


def test_names_never_lead_out_of_the_folder_of_the_job(client: Client) -> None:
    names = ["../../etc/passwd.txt", "/root/a.txt", "C:\\x\\b.txt", "."]
    job = client.wait(client.create_job([(name, WELLS.encode()) for name in names]).id)
    assert [row.file for row in rows_of(client, job.id)] == ["etc/passwd.txt", "root/a.txt", "b.txt", "file"]
    with zipfile.ZipFile(io.BytesIO(client.result(job.id, format="markdown"))) as archive:
        assert archive.namelist() == ["etc/passwd.md", "root/a.md", "b.md", "file.md"]


def test_what_is_no_document_fails_alone(client: Client) -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    job = client.wait(client.create_job([("a.png", png), ("b.txt", WELLS.encode())]).id)
    assert (job.status, job.done, job.failed) == ("done", 1, 1)


def test_rows_are_paged(client: Client) -> None:
    job = client.create_job([(f"{i}.txt", WELLS.encode()) for i in range(7)])
    client.wait(job.id)
    found = client.job_documents(job.id, offset=5, limit=5)
    assert [row.id for row in found] == ["5.txt", "6.txt"]
    assert client.job_documents(job.id, offset=50) == []


def test_events_resume_where_they_broke_off(client: Client) -> None:
    job = client.create_job([(f"{i}.txt", WELLS.encode()) for i in range(5)])
    events = list(client.events(job.id))
    assert {event.name for event in events} <= {"document", "job", "end"}
    assert events[-1].name == "end"
    latest = {event.value.number: event.value for event in events if isinstance(event.value, Answer)}
    assert latest == {row.number: row for row in rows_of(client, job.id)}
    again = list(client.events(job.id))
    assert [event.name for event in again] == ["document"] * 5 + ["end"]
    rest = list(client.events(job.id, after=again[2].id))
    assert rest == again[3:]


def test_a_document_whose_worker_dies_is_tried_once_more(client: Client) -> None:
    files = [("stumbles.txt", b"STUMBLE once"), ("crashes.txt", b"CRASH each time"), ("sound.txt", b"sound")]
    job = client.create_job(files, method="faulty")
    job = client.wait(job.id)
    assert (job.status, job.done, job.failed) == ("done", 2, 1)
    rows = {row.id: row for row in rows_of(client, job.id)}
    assert [rows[id].status for id in ("stumbles.txt", "crashes.txt", "sound.txt")] == ["done", "failed", "done"]
    crashed = rows["crashes.txt"].problem
    assert crashed is not None and crashed.kind == "crashed"
    assert rows["crashes.txt"].can_retry


def test_a_retry_works_on_what_failed_for_a_passing_reason(client: Client) -> None:
    job = client.create_job(
        [("hangs.txt", b"HANG on"), ("c.pdf", b"%PDF-1.4"), ("sound.txt", b"sound")], method="faulty"
    )
    client.wait(job.id)
    numbers = {row.id: row.number for row in rows_of(client, job.id)}
    with pytest.raises(ServiceError) as refused:
        client.retry_job(job.id, [numbers["c.pdf"], numbers["sound.txt"], 99])
    assert (refused.value.status, refused.value.kind) == (409, "conflict")
    assert not client.retry_job(job.id).ended
    job = client.wait(job.id)
    assert (job.status, job.done, job.failed) == ("done", 1, 2)
    hangs = rows_of(client, job.id)[numbers["hangs.txt"] - 1].problem
    assert hangs is not None and hangs.kind == "time-limit"


def test_a_cancelled_job_keeps_what_is_done_and_can_be_resumed(client: Client) -> None:
    files = [("sound.txt", b"sound"), *((f"{i}.txt", b"HANG on") for i in range(3))]
    job = client.create_job(files, method="faulty")
    until(lambda: client.job(job.id).done == 1)
    assert client.cancel_job(job.id).status == "cancelled"
    rows = rows_of(client, job.id)
    assert rows[0].status == "done"
    assert "cancelled" in {row.status for row in rows}
    waiting = [row.number for row in rows if row.status == "cancelled"]
    again = client.retry_job(job.id, waiting[:1])
    assert (again.ended, again.expires) == (False, None)
    assert client.cancel_job(job.id).status == "cancelled"
    assert client.job(job.id).done == 1


def test_a_deleted_job_is_gone(client: Client) -> None:
    job = client.create_job([("a.txt", b"HANG on")], method="faulty")
    client.delete_job(job.id)
    for ask in (client.job, client.cancel_job, client.delete_job, client.result, client.wait):
        with pytest.raises(ServiceError) as refused:
            ask(job.id)
        assert refused.value.kind == "not-found"


def test_results_in_every_format(client: Client) -> None:
    job = client.create_job([("b/wells.txt", WELLS.encode()), ("a.csv", TABLE), ("c.pdf", b"%PDF-1.4")], top=2)
    client.wait(job.id)
    best = extract(WELLS, top=2)
    phrases = [one.text for one in best]
    table = list(csv.DictReader(io.StringIO(client.result(job.id).decode("utf-8-sig"))))
    assert [row["file"] for row in table] == ["b/wells.txt", "a.csv", "a.csv", "c.pdf"]
    assert table[0]["keyphrases"] == "; ".join(phrases)
    assert table[0]["scores"] == "; ".join(f"{one.score:.4g}" for one in best)
    assert "damaged PDF" in table[3]["problem"]
    lines = [json.loads(line) for line in client.result(job.id, format="jsonl").splitlines()]
    assert [one["id"] for one in lines] == ["b/wells.txt", "a", "b", "c.pdf"]
    assert [one["text"] for one in lines[0]["keyphrases"]] == phrases
    bibtex = client.result(job.id, format="bibtex").decode()
    assert f"@misc{{wells,\n  title = {{wells}},\n  language = {{en}},\n  keywords = {{{', '.join(phrases)}}}" in bibtex
    with zipfile.ZipFile(io.BytesIO(client.result(job.id, format="markdown"))) as archive:
        assert archive.namelist() == ["b/wells.md", "a.md", "b.md", "c.md"]
        page = archive.read("b/wells.md").decode()
    listed = "".join(f'  - "{phrase}"\n' for phrase in phrases)
    assert page.startswith('---\ntitle: "b/wells.txt"\nsource: "b/wells.txt"\n')
    assert f"keywords:\n{listed}---\n\n{WELLS}" in page
    arrow = pytest.importorskip("pyarrow.parquet")
    found = arrow.read_table(io.BytesIO(client.result(job.id, format="parquet"))).to_pylist()
    assert [one["text"] for one in found[0]["keyphrases"]] == phrases
    with pytest.raises(ServiceError, match="format"):
        client.result(job.id, format="xml")


def test_the_result_of_one_document_in_markdown_is_one_file(client: Client) -> None:
    job = client.create_job([("wells.txt", WELLS.encode())])
    client.wait(job.id)
    assert client.result(job.id, format="markdown").startswith(b"---\n")


def test_pages_of_a_pdf_are_images_with_marks(client: Client) -> None:
    job = client.create_job([("paper.pdf", PAGE), ("a.txt", b"wells")], top=2)
    client.wait(job.id)
    row, other = rows_of(client, job.id)
    assert (row.pages, other.pages) == (1, 0)
    (page,) = client.job_pages(job.id, row.number)
    assert page["number"] == 1
    assert {mark["keyphrase"] for mark in page["marks"]} == {0, 1}
    for mark in page["marks"]:
        left, top, right, bottom = mark["box"]
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
    image = client.page_image(job.id, row.number, 1, width=200)
    assert image.startswith(b"\x89PNG")
    assert int.from_bytes(image[16:20], "big") in (199, 200, 201)
    for wrong in ((row.number, 2), (other.number, 1)):
        with pytest.raises(ServiceError) as refused:
            client.page_image(job.id, *wrong)
        assert refused.value.kind == "not-found"


def test_what_is_wrong_with_the_form_is_answered_at_once(client: Client) -> None:
    for options, kind in (({"method": "nope"}, "unknown-method"), ({"top": -1}, "invalid-request")):
        with pytest.raises(ServiceError) as refused:
            client.create_job([("a.txt", b"text")], **options)  # type: ignore[arg-type]
        assert refused.value.kind == kind
    with pytest.raises(ServiceError) as refused:
        client.create_job([(f"{i}.txt", b"text") for i in range(31)])
    assert refused.value.kind == "too-many-documents"
    with pytest.raises(ServiceError) as refused:
        client.create_job([("a.txt", b"x" * 300_000)])
    assert refused.value.kind == "body-too-large"


def test_too_many_records_fail_the_job(client: Client) -> None:
    lines = b"".join(b'{"text": "wells"}\n' for _ in range(40))
    job = client.wait(client.create_job([("lines.jsonl", lines)]).id)
    assert job.status == "failed"
    assert job.problem is not None and job.problem.kind == "too-many-documents"


def test_what_failed_takes_no_disk(tmp_path: Path) -> None:
    lines = b"".join(b'{"text": "wells"}\n' for _ in range(40))
    with served(tmp_path / "logs", limits={"job_documents": 10}) as server, Client(server.address) as client:
        job = client.wait(client.create_job([("a.txt", b"wells"), ("lines.jsonl", lines)]).id)
        assert job.status == "failed"
        assert disk(server) == 0
        assert len(rows_of(client, job.id)) == 2
        for ask in (client.result, client.retry_job, lambda id: client.job_document(id, 1)):
            with pytest.raises(ServiceError, match="its files were deleted") as refused:
                ask(job.id)
            assert refused.value.kind == "not-found"
        empty = zipped({f"{i}.txt": bytes(50_000) for i in range(3)})
        job = client.wait(client.create_job([("empty.zip", empty), ("broken.pdf", b"%PDF-1.4")]).id)
        assert (job.done, job.failed) == (0, 4)
        assert disk(server) == 0
        job = client.wait(client.create_job([("paper.pdf", PAGE), ("wells.zip", zipped({"a.txt": WELLS.encode()}))]).id)
        assert client.page_image(job.id, 1, 1).startswith(b"\x89PNG")
        client.delete_job(job.id)
        assert disk(server) == 0


def disk(server: Served) -> float:
    """The bytes on disk that the server counts."""
    with server.client() as client:
        (line,) = re.findall(r"^phrasemill_job_disk_bytes (\S+)$", client.get("/metrics").text, flags=re.MULTILINE)
    return float(line)


def test_the_example_of_the_documentation_runs(
    many: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "service.md"
    (block,) = re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "wells.txt").write_text(WELLS)
    monkeypatch.chdir(tmp_path)
    exec(block.replace("http://127.0.0.1:8000", many.address), {})
    assert "papers/wells.txt,papers/wells.txt,,en,everyday," in capsys.readouterr().out


def test_jobs_are_bounded_and_expire(tmp_path: Path) -> None:
    limits = {"jobs": 2, "jobs_per_client": 2, "job_seconds": 0.2, "job_disk": 2_000}
    with served(tmp_path / "logs", workers=3, limits=limits) as server, Client(server.address) as client:
        job = client.create_job([("a.txt", WELLS.encode())])
        until(lambda: not _exists(client, job.id))
        hanging = [client.create_job([("a.txt", b"HANG on")], method="faulty") for _ in range(2)]
        with pytest.raises(ServiceError) as refused:
            client.create_job([("a.txt", b"text")])
        assert refused.value.kind == "too-many-requests"
        client.delete_job(hanging[0].id)
        with pytest.raises(ServiceError) as refused:
            client.create_job([("a.txt", b"x" * 3_000)])
        assert refused.value.kind == "busy"


def test_a_client_with_too_many_jobs_loses_its_oldest_that_ended(tmp_path: Path) -> None:
    with served(tmp_path / "logs", limits={"jobs_per_client": 2}) as server, Client(server.address) as client:
        ids = [client.wait(client.create_job([("a.txt", WELLS.encode())]).id).id for _ in range(3)]
        assert [_exists(client, id) for id in ids] == [False, True, True]


def test_jobs_need_a_token_where_there_are_tokens(tmp_path: Path) -> None:
    token = "a-token-of-the-tests"
    with served(tmp_path / "logs", tokens=[token]) as server:
        with Client(server.address, token=token) as client:
            job = client.create_job([("a.txt", WELLS.encode())])
            assert client.wait(job.id).status == "done"
        with Client(server.address) as stranger, pytest.raises(ServiceError) as refused:
            stranger.job(job.id)
        assert refused.value.kind == "unauthorised"
    assert job.id not in (tmp_path / "logs").read_text()


def test_jobs_survive_a_server_that_is_killed(tmp_path: Path) -> None:
    folder, marks = tmp_path / "kept", tmp_path / "marks"
    marks.mkdir()
    options = {"jobs": str(folder), "marks": str(marks)}
    with served(tmp_path / "logs", **options) as server, Client(server.address) as client:
        done = client.wait(client.create_job([("wells.txt", WELLS.encode()), ("c.pdf", b"%PDF-1.4")], top=2).id)
        before = client.result(done.id, format="jsonl")
        files = [("sound.txt", b"sound"), ("hangs.txt", b"HANG on"), ("paper.pdf", PAGE)]
        job = client.create_job(files, method="faulty")
        until(lambda: client.job(job.id).done == 1)
        server.process.kill()
    with served(tmp_path / "logs", **options, limits={"step": 2.0}) as server, Client(server.address) as client:
        assert [one.id for one in client.jobs()] == [job.id, done.id]
        assert client.job(done.id) == done
        assert client.result(done.id, format="jsonl") == before
        assert [row.status for row in rows_of(client, done.id)] == ["done", "failed"]
        again = client.wait(job.id)
        assert (again.status, again.done, again.failed) == ("done", 2, 1)
        assert {row.id: row.status for row in rows_of(client, job.id)}["sound.txt"] == "done"
        assert client.page_image(job.id, 3, 1).startswith(b"\x89PNG")
        client.delete_job(job.id)
        assert [one.id for one in client.jobs()] == [done.id]
        with pytest.raises(AssertionError, match="another server"), served(tmp_path / "third", jobs=str(folder)):
            pass
    assert (folder / "jobs.sqlite").exists()
    assert [path for path in folder.iterdir() if path.is_dir()] == [folder / done.id]


def test_everyone_sees_their_own_jobs(tmp_path: Path) -> None:
    tokens = ["a-token-of-the-first-one", "a-token-of-the-second-one"]
    with served(tmp_path / "logs", tokens=tokens) as server:
        one, other = (Client(server.address, token=token) for token in tokens)
        with one, other:
            first, second = (one.create_job([(f"{i}.txt", WELLS.encode())]).id for i in range(2))
            one.extract_files([("a.txt", WELLS.encode())])
            assert [job.id for job in one.jobs()] == [second, first]
            assert other.jobs() == []


def test_a_server_that_stops_ends_its_jobs_and_deletes_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setenv("TMPDIR", str(spool))
    with served(tmp_path / "logs") as server, Client(server.address) as client:
        job = client.create_job([(f"{i}.txt", b"HANG on") for i in range(3)], method="faulty")
        assert list(spool.iterdir())
        events = client.events(job.id)
        next(events)
        server.process.terminate()
        assert list(events)[-1].name == "end"
        server.process.wait(PATIENCE)
    assert not list(spool.iterdir())


def _exists(client: Client, id: str) -> bool:
    try:
        client.job(id)
    except ServiceError:
        return False
    return True
