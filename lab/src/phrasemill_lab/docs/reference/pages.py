"""The pages of the reference: the name of each file, and what writes it."""

from collections.abc import Callable
from functools import partial

from phrasemill_lab.docs.reference import commands, errors, formats, http, markdown, python_names, scores, specs

# Modules with public names, and what each is for.
PUBLIC = {
    "phrasemill": "The functions and classes that most programs need.",
    "phrasemill.sets": "Keyphrases of sets of documents.",
    "phrasemill.tags": "Learn, suggest, review and apply your own tags.",
    "phrasemill.vocabulary": "Controlled vocabularies.",
    "phrasemill.readers": "Read documents from files and bytes.",
    "phrasemill.evaluation": "Scores and significance tests.",
    "phrasemill.statistics": "Document frequencies of a corpus.",
    "phrasemill.engine": "Runs over corpora, which can be resumed, and Arrow tables.",
    "phrasemill.client": "A client of the service (extra `client`).",
}
LONG = 8  # names, from which a page has contents
# Modules that need packages of others, read without importing them.
COMPATIBLE = ("keybert", "yake", "rake")
INTEGRATIONS = (
    "pandas",
    "polars",
    "duckdb",
    "spark",
    "llama_index",
    "langchain",
    "haystack",
    "bertopic",
    "sklearn",
    "spacy",
)


def module_page(module: str) -> str:
    names = python_names.public(module)
    intro = f"{PUBLIC[module]} Import from `{module}`."
    contents = [f"{markdown.contents(names)}\n"] if len(names) >= LONG else []
    return markdown.page(f"`{module}`", intro, [*contents, *python_names.sections(names)])


def package_page(package: str, modules: tuple[str, ...], intro: str) -> str:
    parts: list[str] = []
    for name in modules:
        module = f"phrasemill.{package}.{name}"
        parts += [f"## `{module}`\n", markdown.prose(python_names.module_doc(module))]
        parts += python_names.sections(python_names.defined(module), level=3)
    contents = f"{markdown.contents(f'phrasemill.{package}.{name}' for name in modules)}\n"
    return markdown.page(f"`phrasemill.{package}`", intro, [contents, *parts])


def _file(module: str) -> str:
    return f"python/{module.removeprefix('phrasemill.')}.md"


PAGES: dict[str, Callable[[], str]] = {
    **{_file(module): partial(module_page, module) for module in PUBLIC},
    "python/compat.md": partial(
        package_page,
        "compat",
        COMPATIBLE,
        "The interfaces of KeyBERT, YAKE and rake-nltk, with the methods of Phrasemill behind them.",
    ),
    "python/integrations.md": partial(
        package_page,
        "integrations",
        INTEGRATIONS,
        "Keyphrases in other libraries. Each module needs the extra of the same name.",
    ),
    "commands.md": commands.page,
    "http.md": http.page,
    "specs.md": specs.grammar_page,
    "method-parameters.md": specs.methods_page,
    "scores.md": scores.page,
    "formats.md": formats.page,
    "errors.md": errors.page,
}
