"""What the service answers is what the library says."""

import json
from typing import Any

import httpx
import pytest

import made_files
from phrasemill import Document, extract, extract_set
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.evaluation import compare, evaluate
from phrasemill.evaluation.report import choice_records
from served import Served, until

WELLS = "Coastal wells 💧 pump groundwater. When wells pump too much groundwater, salt water moves inland."
REEFS = "Artificial reefs attract cod. Around wind turbines, artificial reefs grow on boulders."
BAKERS = "Bakers knead dough. Sourdough bread needs patient bakers and warm dough."


def posted(client: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def test_extract_gives_what_the_library_gives(client: httpx.Client) -> None:
    documents = [
        {"id": "b", "text": WELLS, "title": "Salt 💧"},
        {"text": REEFS},
        {"id": "a", "text": "", "language": "de"},
    ]
    answer = posted(client, "/v1/extract", {"documents": documents, "top": 3})
    assert answer["method"] == "learned"
    assert [document["id"] for document in answer["documents"]] == ["b", "2", "a"]
    sources = [Document("b", WELLS, "Salt 💧"), Document("2", REEFS), Document("a", "", language="de")]
    for document, source in zip(answer["documents"], sources, strict=True):
        expected = [keyphrase.to_dict() for keyphrase in extract(source, top=3)]
        assert document["keyphrases"] == as_json(expected)
        for keyphrase in document["keyphrases"]:
            start, end = keyphrase["spans"][0]
            assert source.content[start:end].lower() == keyphrase["text"].lower()


@pytest.mark.parametrize("language", ["de", "deu", "ger", "German", "Deutsch", "de-AT"])
def test_a_language_goes_by_any_of_its_names(client: httpx.Client, language: str) -> None:
    text = "Salzwasser dringt in die Brunnen, weil die Pumpen der Stadt zu viel Grundwasser fördern."
    expected = as_json([one.to_dict() for one in extract(Document("1", text, language="de"))])
    for body in ({"documents": [{"text": text, "language": language}]}, {"documents": [{"text": text}]}):
        answer = posted(client, "/v1/extract", body | {"language": language})
        assert answer["documents"][0]["keyphrases"] == expected


def test_the_language_of_each_document_is_found_and_returned(client: httpx.Client) -> None:
    german = "Salzwasser dringt in die Brunnen, weil die Pumpen der Stadt zu viel Grundwasser fördern."
    documents = [{"text": german}, {"text": WELLS}, {"text": german, "language": "Dutch"}, {"text": german}]
    answer = posted(client, "/v1/extract", {"documents": documents})
    assert [one["language"] for one in answer["documents"]] == ["de", "en", "nl", "de"]
    answer = posted(client, "/v1/extract", {"documents": documents, "language": "auto"})
    assert [one["language"] for one in answer["documents"]] == ["de", "en", "de", "de"]
    assert posted(client, "/v1/sets", {"documents": documents})["languages"] == {"de": 2, "en": 1, "nl": 1}


def test_what_has_no_effect_on_a_text_is_told(client: httpx.Client) -> None:
    german = "Salzwasser dringt in die Brunnen ein, weil die Pumpen der Stadt und der Höfe zu viel Grundwasser fördern."
    forced = {"documents": [{"text": german}, {"text": WELLS}], "language": "English"}
    answer = posted(client, "/v1/extract", forced)["documents"]
    told = ["read as English (en), as requested, but the text is in German (de)"]
    assert [one.get("warnings") for one in answer] == [told, None]
    styled = {"documents": [{"text": german}, {"text": WELLS}], "style": "tags"}
    answer = posted(client, "/v1/extract", styled)["documents"]
    told = [
        "learned has the style 'tags' for languages other than English; texts in English (en) are ranked by general"
    ]
    assert [one.get("warnings") for one in answer] == [None, told]


def test_the_kind_of_each_document_is_recognised_and_returned(client: httpx.Client) -> None:
    letter = "Dear all, the bakery opens on Monday. Please bring bread and your children. There will be tea for all."
    documents = [{"text": letter}, {"text": ""}]
    for method in ("learned", "textrank", "rake"):
        found = posted(client, "/v1/extract", {"documents": documents, "method": method})["documents"]
        assert [one.get("kind") for one in found] == ["everyday", None]


def test_the_languages_are_listed_with_what_each_has(client: httpx.Client) -> None:
    listed = {one["code"]: one for one in client.get("/v1/languages").json()["languages"]}
    everything = {"detected": True, "tagger": True, "stemmer": True, "stopwords": True}
    assert listed["de"] == {"code": "de", "name": "German"} | everything
    assert not listed["zu"]["stemmer"]
    assert set(listed) == {one["code"] for one in client.get("/v1/methods").json()["languages"]}


def test_an_unknown_language_is_answered_with_the_closest(client: httpx.Client) -> None:
    for path in ("/v1/extract", "/v1/sets"):
        answer = client.post(path, json={"documents": [{"text": WELLS}], "language": "germann"})
        assert answer.status_code == 422
        assert "German" in answer.json()["detail"]


@pytest.mark.parametrize(
    "options",
    [
        {"method": "textrank(window=5)", "top": 0.5},
        {"method": "learned(style='news')", "top": "auto"},
        {"style": "news", "top": "all"},
        {"top": "all", "threshold": 0.05, "redundancy": "inclusion"},
        {"top": 3, "redundancy": "meaning(1.0)"},
        {"explain": True, "exclude": ["groundwater"]},
        {"candidates": ["salt water", "wells"]},
        {"boost": {"salt water": 3.0}},
        {"method": "summarise(textrank(window=3), shortest=5)", "top": 2},
    ],
)
def test_options_mean_what_they_mean_in_python(client: httpx.Client, options: dict[str, Any]) -> None:
    answer = posted(client, "/v1/extract", {"documents": [{"text": WELLS}], **options})
    expected = extract(WELLS, **options).to_dicts()
    head = {"id": "1", "language": "en", "kind": "everyday"}
    assert answer["documents"] == [head | {"keyphrases": as_json(expected)}]


def test_every_method_that_works_says_why(client: httpx.Client) -> None:
    """Reasons and scores are numbers that JSON has, whatever a method computes with."""
    for one in client.get("/v1/methods").json()["methods"]:
        if one["available"] and one["for"] == "documents" and one["name"] not in ("faulty", "patient"):
            asked = {"documents": [{"text": REEFS}], "method": one["name"], "explain": True, "top": "all"}
            answer = client.post("/v1/extract", json=asked)
            assert answer.status_code == 200 or "not-installed" in answer.text, one["name"]


def test_sets_give_what_the_library_gives(client: httpx.Client) -> None:
    own = [{"id": "wells", "text": WELLS}, {"id": "reefs", "text": REEFS}]
    body = {"documents": own, "top": 4, "id": "the sea"}
    answer = posted(client, "/v1/sets", body)
    documents = [Document("wells", WELLS), Document("reefs", REEFS)]
    expected = extract_set(documents, top=4)
    head = {"id": "the sea", "method": "consensus", "documents": 2, "languages": {"en": 2}}
    found = {"notes": list(expected.notes), "keyphrases": as_json([keyphrase.to_dict() for keyphrase in expected])}
    assert answer == head | found


def test_sets_contrast(client: httpx.Client) -> None:
    body = {"documents": [{"text": WELLS}], "against": [{"text": BAKERS}], "method": "merge(textrank)"}
    found = posted(client, "/v1/sets", body)["keyphrases"]
    expected = extract_set([WELLS], against=[BAKERS], method="merge(textrank)")
    assert found == as_json([keyphrase.to_dict() for keyphrase in expected])
    assert found[0]["other_total"] == 1


def test_sets_are_told_of_copies_of_nothing_significant_and_of_limits(client: httpx.Client) -> None:
    own, other = [{"text": WELLS}, {"text": WELLS}], [{"text": BAKERS}]
    answer = posted(client, "/v1/sets", {"documents": own, "against": other, "longest": 1, "exclude": ["wells"]})
    expected = extract_set([WELLS, WELLS], against=[BAKERS], longest=1, exclude=["wells"])
    assert answer["notes"] == list(expected.notes) and len(expected.notes) == 2
    assert [one["text"] for one in answer["keyphrases"]] == [one.text for one in expected]


def test_files_come_back_with_their_texts(client: httpx.Client) -> None:
    page = f"<html><head><title>Reefs</title></head><body><p>{REEFS}</p></body></html>"
    uploads = [
        ("files", ("wells.txt", WELLS.encode(), "text/plain")),
        ("files", ("folder/reefs.html", page.encode(), "text/html")),
        ("files", ("wells.txt", BAKERS.encode(), "text/plain")),
        ("files", ("paper.pdf", made_files.pdf([["Deep groundwater wells", "pump salt water."]]), "application/pdf")),
        ("files", ("note.docx", made_files.docx("<w:p><w:r><w:t>Patient bakers.</w:t></w:r></w:p>"), "")),
        ("files", ("broken.pdf", b"%PDF-1.4 nothing", "application/pdf")),
    ]
    answer = client.post("/v1/files", files=uploads, data={"top": "3", "explain": "true"}).json()
    found = answer["documents"]
    names = ["wells.txt", "reefs.html", "wells.txt (2)", "paper.pdf", "note.docx", "broken.pdf"]
    assert [document["id"] for document in found] == names
    assert found[2]["file"] == "wells.txt"
    assert found[5]["problem"]["type"] == "urn:phrasemill:problem:unreadable-input"
    for document in found[:5]:
        content = f"{document['title']}\n{document['text']}" if document["title"] else document["text"]
        again = extract(content, top=3, language=document["language"], explain=True)
        assert document["keyphrases"] == as_json([keyphrase.to_dict() for keyphrase in again])
        assert document["keyphrases"]
    only_read = client.post("/v1/files", files=uploads[:1], data={"extract": "false"}).json()
    assert only_read["documents"][0]["text"] == WELLS
    assert only_read["documents"][0]["keyphrases"] == []


def test_files_take_the_options_of_extract_with_lists_of_one_phrase_per_line(client: httpx.Client) -> None:
    given = {"longest": 2, "shortest": 2, "diversity": 0.4, "stopwords": ["salt", "deep"], "exclude": ["sea floor"]}
    fields = {name: "\n".join(value) if isinstance(value, list) else str(value) for name, value in given.items()}
    answer = client.post("/v1/files", files={"files": ("wells.txt", WELLS.encode())}, data=fields)
    expected = [keyphrase.to_dict() for keyphrase in extract(WELLS, **given)]
    assert answer.json()["documents"][0]["keyphrases"] == as_json(expected)


def test_a_list_may_be_sent_in_several_fields(client: httpx.Client) -> None:
    upload = {"files": ("wells.txt", WELLS.encode())}
    together = client.post("/v1/files", files=upload, data={"stopwords": "salt\nwater"}).json()
    apart = client.post("/v1/files", files=upload, data={"stopwords": ["salt", "water"]}).json()
    assert apart == together


def test_a_file_of_records_gives_its_documents(client: httpx.Client) -> None:
    lines = "\n".join(json.dumps({"id": name, "text": text}) for name, text in (("w", WELLS), ("r", REEFS)))
    answer = client.post("/v1/files", files={"files": ("corpus.jsonl", lines.encode())}, data={"top": "1"}).json()
    assert [document["id"] for document in answer["documents"]] == ["w", "r"]
    many = "\n".join(json.dumps({"text": WELLS}) for _ in range(21))
    refused = client.post("/v1/files", files={"files": ("corpus.jsonl", many.encode())})
    assert (refused.status_code, refused.json()["type"]) == (413, "urn:phrasemill:problem:too-many-documents")


def test_evaluate_gives_what_the_library_gives(client: httpx.Client) -> None:
    gold = {"a": ["salt water", ["wells", "coastal wells"]], "b": ["artificial reefs"]}
    mine = {"a": ["salt water", "pumps"], "b": ["artificial reefs", "cod"]}
    other = {"a": ["wells"], "b": ["cod"]}
    predictions = [{"name": "mine", "answers": mine}, {"name": "other", "text": json.dumps(other)}]
    body = {"predictions": predictions, "gold": {"answers": gold}, "metrics": ["F1@5", "R@O"], "resamples": 50}
    answer = posted(client, "/v1/evaluate", body)
    clusters = {"a": ["salt water", ("wells", "coastal wells")], "b": ["artificial reefs"]}
    shared: dict[str, Any] = {"metrics": ["F1@5", "R@O"], "resamples": 50}
    expected = [evaluate(one, clusters, **shared) for one in (mine, other)]
    for system, scores in zip(answer["systems"], expected, strict=True):
        assert system["scores"] == {score.name: score.value for score in scores}
        assert system["signatures"] == {score.name: score.signature for score in scores}
        assert system["intervals"]["F1@5"] == [scores.score("F1@5").interval.low, scores.score("F1@5").interval.high]
        assert system["per_document"]["F1@5"] == scores.score("F1@5").documents
    assert answer["shares"] == {"F1@5": True, "R@O": True}
    assert [one["p"] for one in answer["differences"]] == [one.p for one in compare(expected, resamples=50)]
    assert len(answer["curves"]["F1"]) == 2
    assert len(answer["curves"]["F1"][0]["values"]) == 20


def test_evaluate_reads_what_the_command_reads(client: httpx.Client) -> None:
    lines = '{"id": "d1", "keyphrases": [{"text": "salt water", "score": 0.4}]}\n'
    body = {"predictions": [{"text": lines}], "gold": {"text": "d1 : salt water,wells+coastal wells"}, "curves": False}
    answer = posted(client, "/v1/evaluate", body | {"metrics": ["R@5"], "preset": "semeval2010", "resamples": 0})
    assert answer["systems"][0]["scores"] == {"R@5": 0.5}
    assert answer["curves"] == {}


def test_methods_and_metrics_are_those_of_the_registries(client: httpx.Client) -> None:
    listed = client.get("/v1/methods").json()
    for kind, registry in (("documents", METHODS), ("sets", SET_METHODS)):
        names = [one["name"] for one in listed["methods"] if one["for"] == kind]
        assert set(registry.names()) <= set(names)
    by_name = {one["name"]: one for one in listed["methods"]}
    assert by_name["learned"]["available"]
    assert by_name["learned"]["parameters"][0]["choices"] == [
        "author",
        "everyday",
        "general",
        "indexer",
        "news",
        "reader",
        "tags",
    ]
    assert not by_name["kea"]["available"]
    assert by_name["learned"]["learns"] == "shipped"
    assert by_name["learned"]["pace"] == "very fast"
    assert {listed["default"], listed["fastest"], listed["best"]} <= set(METHODS.names())
    assert by_name["faulty"]["summary"] == "Offered by this server."
    assert {"name": "method", "kind": "method", "default": "learned"} in by_name["merge"]["parameters"]
    assert client.get("/v1/metrics").json() == as_json(choice_records())


def test_the_listing_tells_the_truth_about_what_works(client: httpx.Client) -> None:
    for one in client.get("/v1/methods").json()["methods"]:
        quick = "extra" not in one["needs"] and one["for"] == "documents" and one["name"] != "patient"
        if quick:
            answer = client.post("/v1/extract", json={"documents": [{"text": WELLS}], "method": one["name"]})
            assert (answer.status_code == 200) == one["available"], one["name"]


def test_what_is_offered_works_within_others_and_tells_nothing_of_itself(client: httpx.Client) -> None:
    answer = posted(client, "/v1/sets", {"documents": [{"text": WELLS}, {"text": REEFS}], "method": "merge(faulty)"})
    assert answer["method"] == "merge(faulty)"
    assert [keyphrase["text"] for keyphrase in answer["keyphrases"]] == ["Coastal", "Artificial"]
    assert posted(client, "/v1/extract", {"documents": [{"text": WELLS}], "method": "faulty"})["method"] == "faulty"
    refused = client.post("/v1/extract", json={"documents": [{"text": WELLS}], "method": "faulty", "explain": True})
    assert "explain need a method made of Ranker, which faulty is not" in refused.json()["detail"]


def test_the_server_tells_how_it_is(client: httpx.Client, server: Served) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready"}
    posted(client, "/v1/extract", {"documents": [{"text": WELLS}, {"text": REEFS}, {"text": BAKERS}]})
    assert client.post("/v1/files", files={"files": ("wells.txt", WELLS.encode())}).status_code == 200
    measured = client.get("/metrics").text
    assert 'phrasemill_requests_total{method="POST",path="/v1/extract",status="200"}' in measured
    assert "phrasemill_workers 1.0" in measured
    logs = server.logs.read_text()
    lines = [json.loads(line) for line in logs.splitlines()]
    assert any(line["path"] == "/v1/extract" and line["documents"] == 3 for line in lines if line["event"] == "request")
    assert "groundwater" not in logs
    assert "wells.txt" not in logs


TICKETS = (
    b'ticket,"Problem, in words",reply\n1,Salt water rises in the wells,Pump less\n2,Pumps draw groundwater,Thank you\n'
)
COLUMN = "Problem, in words"


def test_columns_of_tables_are_offered_and_taken(client: httpx.Client) -> None:
    files = {"files": ("tickets.csv", TICKETS)}
    (failed,) = client.post("/v1/files", files=files).json()["documents"]
    (what,) = failed["problem"]["errors"]
    named = {"where": "body.columns", "detail": "tickets.csv: no text column", "choices": ["ticket", COLUMN, "reply"]}
    assert what == named
    columns = {"columns": f"text={COLUMN},id=ticket"}
    found = client.post("/v1/files", files=files, data=columns).json()["documents"]
    assert [(one["id"], one["text"]) for one in found] == [
        ("1", "Salt water rises in the wells"),
        ("2", "Pumps draw groundwater"),
    ]
    job = client.post("/v1/jobs", files=files, data=columns).json()["id"]
    until(lambda: client.get(f"/v1/jobs/{job}").json()["status"] == "done")
    rows = client.get(f"/v1/jobs/{job}/documents").json()["documents"]
    assert [(row["id"], row["found"]) for row in rows] == [
        (str(i + 1), len(one["keyphrases"])) for i, one in enumerate(found)
    ]
    lines = {"files": ("a.jsonl", b'{"n": 1, "notes": "salt", "more": "wells"}\n')}
    (line,) = client.post("/v1/files", files=lines).json()["documents"]
    assert line["problem"]["errors"][0]["choices"] == ["n", "notes", "more"]
    wrong = client.post("/v1/files", files=files, data={"columns": "words=ticket"})
    assert wrong.json()["type"].endswith("invalid-parameter")


@pytest.mark.parametrize("side", ["gold", "predictions"])
def test_fields_of_answers_are_offered_and_taken(client: httpx.Client, side: str) -> None:
    other = {"text": '{"id": "a", "keywords": ["salt water"], "topics": ["wells"]}'}
    asked: dict[str, Any] = {
        "predictions": [{"answers": {"a": ["salt water"]}}],
        "gold": {"answers": {"a": ["salt water"]}},
    }
    where = "body.gold.field" if side == "gold" else "body.predictions.0.field"
    refused = client.post("/v1/evaluate", json=asked | {side: other if side == "gold" else [other]})
    assert refused.status_code == 422
    (what,) = refused.json()["errors"]
    assert (what["where"], what["choices"]) == (where, ["keywords", "topics"])
    other["field"] = "keywords"
    answer = client.post("/v1/evaluate", json=asked | {side: other if side == "gold" else [other]}).json()
    assert answer["systems"][0]["scores"]["P@5"] == 1.0


def test_choices_are_few_where_a_table_has_many_columns(client: httpx.Client) -> None:
    head = ",".join(f"question {i}" for i in range(5000))
    answer = client.post("/v1/files", files={"files": ("wide.csv", f"{head}\n".encode())})
    assert len(answer.content) < 10_000
