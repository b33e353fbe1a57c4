"""Every method gives the same answers from any number of threads as from one."""

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

import made_texts
import phrasemill as pm
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.text import stem
from phrasemill.text.analyse import analysers

THREADS = 8
NETWORKS = {"bertkpe", "catseq", "catseqd", "copyrnn", "embedrank", "encoder", "generator", "mderank"}

Find = Callable[[str], object]


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as the interpreter lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def answers_in_threads(find: Find, texts: list[str], threads: int = THREADS) -> list[list[object]]:
    """Return what each of the threads found in each of the texts; all start at once, each at another text."""
    found: list[list[object]] = [[] for _ in range(threads)]
    start = threading.Barrier(threads)

    def work(number: int) -> None:
        start.wait()
        first = number * len(texts) // threads
        answers = {i % len(texts): _answer(find, texts[i % len(texts)]) for i in range(first, first + len(texts))}
        found[number] = [answers[i] for i in range(len(texts))]

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return found


def _answer(find: Find, text: str) -> object:
    try:
        return find(text)
    except Exception as error:
        return error


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("name", METHODS.names())
def test_threads_get_the_answers_of_one_thread(name: str, specs: dict[str, str], effort: int) -> None:
    texts = [made_texts.text(seed) for seed in range((4 if name in NETWORKS else 48) * effort)]

    def find(text: str) -> object:
        return pm.extract(text, method=specs[name], top=None)

    alone = [find(text) for text in texts]
    analysers.cache_clear()  # so that every word is new again
    assert answers_in_threads(find, texts) == [alone] * THREADS
    assert [find(text) for text in texts] == alone, "and the process is sound afterwards"


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("name", [name for name in METHODS.names() if name not in NETWORKS])
def test_threads_get_the_answers_of_one_thread_for_texts_in_which_kernels_release_the_gil(
    name: str, specs: dict[str, str]
) -> None:
    texts = [made_texts.text(seed, sentences=250) for seed in range(4)]

    def find(text: str) -> object:
        return pm.extract(text, method=specs[name])

    alone = [find(text) for text in texts]
    analysers.cache_clear()
    assert answers_in_threads(find, texts, threads=4) == [alone] * 4


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("name", SET_METHODS.names())
def test_threads_get_the_answers_of_one_thread_for_sets(name: str) -> None:
    texts = [made_texts.text(seed) for seed in range(6)]

    def find(first: str) -> object:
        documents = [pm.Document(str(number), text) for number, text in enumerate([first, *texts])]
        return pm.extract_set(documents, method=name)

    alone = [find(text) for text in texts]
    analysers.cache_clear()
    assert answers_in_threads(find, texts) == [alone] * THREADS


def while_stemming(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Do something in the middle of what a lexicon does about new words."""
    analysers.cache_clear()

    def list_stemmer(name: str) -> stem.StemAll:
        return lambda words: [act(), stem.list_stemmer(name)(words)][1]

    monkeypatch.setattr("phrasemill.text.analyse.list_stemmer", list_stemmer)


def test_an_interrupted_extraction_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ctrl-C, or a lack of memory, in the middle of new words must not shift what is known of later ones."""
    text, later = made_texts.text(1), made_texts.text(2)
    expected = pm.extract(later)

    def interrupt() -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    while_stemming(monkeypatch, interrupt)
    with pytest.raises(KeyboardInterrupt):
        pm.extract(text)
    assert pm.extract(later) == expected


def test_an_extraction_may_interrupt_another_in_the_same_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one in a signal handler or a finaliser does."""
    outer, inner = made_texts.text(3), made_texts.text(4)
    expected = pm.extract(outer), pm.extract(inner)
    found: list[object] = []

    def extract_another() -> None:
        if not found:
            found.append(None)
            found.append(pm.extract(inner))

    while_stemming(monkeypatch, extract_another)
    assert (pm.extract(outer), found[1]) == expected
