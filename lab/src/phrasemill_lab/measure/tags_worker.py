"""One process of `tags.py`: learns or suggests, with our model or with Annif's; run by the Python that has it.

    python tags_worker.py phrasemill|PROJECT learn|suggest FOLDER

Prints JSON: seconds of the processor to the first suggestion and for each one after it, peak memory.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MOST = 10  # suggestions that count

Suggest = Callable[[dict[str, Any]], list[tuple[str, float]]]


def records(folder: Path, part: str) -> list[dict[str, Any]]:
    with (folder / f"{part}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def learn_ours(folder: Path) -> None:
    import phrasemill as pm

    pairs = [(pm.Document(one["id"], one["text"], one["title"], "en"), one["tags"]) for one in records(folder, "train")]
    pm.Tags.learn(pairs).save(folder / "ours.tags")


def ours(folder: Path) -> Suggest:
    import phrasemill as pm

    tags = pm.Tags.open(folder / "ours.tags")

    def suggest(one: dict[str, Any]) -> list[tuple[str, float]]:
        document = pm.Document("", one["text"], one["title"], "en")
        found = tags.suggest(document, limit=MOST, threshold=0, new=0)
        return [(each.tag, each.probability) for each in found.tags]

    return suggest


def learn_annif(project: str) -> None:
    command = [sys.executable, "-c", "from annif.cli import cli; cli()"]
    subprocess.run([*command, "load-vocab", "--force", "tags", "tags.ttl"], check=True)
    subprocess.run([*command, "train", project, "train.tsv"], check=True)


def annif(project: str) -> Suggest:
    import annif
    import annif.registry
    from annif.corpus import Document

    app = annif.create_flask_app("annif.default_config.Config")
    app.app_context().push()
    found = annif.registry.get_project(project)
    labels = {i: subject.labels["en"] for i, subject in enumerate(found.subjects._subjects)}

    def suggest(one: dict[str, Any]) -> list[tuple[str, float]]:
        text = f"{one['title']}\n{one['text']}"
        (result,) = found.suggest([Document(text=text)])
        best = sorted(result, key=lambda each: -each.score)[:MOST]
        return [(labels[each.subject_id], float(each.score)) for each in best]

    return suggest


def main() -> None:
    name, action, place = sys.argv[1:]
    folder, ourselves = Path(place), name == "phrasemill"
    if action == "learn":
        learn_ours(folder) if ourselves else learn_annif(name)
        found: dict[str, Any] = {}
    else:
        suggest = ours(folder) if ourselves else annif(name)
        texts = records(folder, "test")
        answers = [suggest(texts[0])]
        begin = time.process_time()
        answers += [suggest(one) for one in texts[1:]]
        each = (time.process_time() - begin) / max(len(texts) - 1, 1)
        found = {"start": begin, "each": each, "answers": answers}
    who = resource.RUSAGE_CHILDREN if action == "learn" and not ourselves else resource.RUSAGE_SELF
    used = resource.getrusage(who)
    print(json.dumps(found | {"memory": used.ru_maxrss / 1024, "processor": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    main()
