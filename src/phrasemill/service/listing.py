"""The lists of methods, with the parameters that clients may set and whether this server can run them, of languages and
of metrics."""

from dataclasses import fields
from typing import Any, Literal

from pydantic import BaseModel, Field

from phrasemill.catalogue import METHODS, SET_METHODS, YOURS, Facts, MethodInfo, best, fastest
from phrasemill.catalogue import methods as all_methods
from phrasemill.options import DEFAULT_METHOD
from phrasemill.service.specs import PLAIN, Offers, choices_of, largest
from phrasemill.sets import DEFAULT_SET_METHOD
from phrasemill.specs import Registry, types_of
from phrasemill.text.language_codes import choices
from phrasemill.text.languages.available import languages as all_languages


class ParameterOut(BaseModel):
    name: str
    kind: Literal["integer", "number", "boolean", "choice", "method"]
    default: Any
    choices: list[str] = []
    largest: float | None = Field(default=None, description="The largest number that is accepted over the network.")


class MethodOut(BaseModel):
    name: str
    summary: str
    paper: str
    needs: str
    used_for: Literal["documents", "sets"] = Field(alias="for")
    available: bool
    reason: str = Field(description="Why this server cannot run it, if it cannot.")
    scale: Literal["probability", "log-odds", "any"] = Field(description="The kind of its scores.")
    speed: float | None = Field(description="Abstracts per second on one core.")
    pace: str = Field(description="The speed in a word, such as fast.")
    indexers: float | None = Field(description="F1@10 on Inspec's development split.")
    authors: float | None = Field(description="F1@10 on author keywords.")
    learns: str = Field(description="The trained model that it needs: nothing, shipped (in the package) or yours.")
    megabytes: float
    install: str = Field(description="What to install in addition to the package.")
    parameters: list[ParameterOut]


class LanguageChoiceOut(BaseModel):
    code: str
    name: str


class MethodsResponse(BaseModel):
    default: str
    default_set: str
    fastest: str
    best: str
    methods: list[MethodOut]
    languages: list[LanguageChoiceOut]


class LanguageOut(LanguageChoiceOut):
    """A language, and what is available for it."""

    detected: bool = Field(description="Whether it can be detected.")
    tagger: bool = Field(description="Whether words can be tagged, so that candidates are noun phrases.")
    stemmer: bool
    stopwords: bool


class LanguagesResponse(BaseModel):
    languages: list[LanguageOut]


class MetricOut(BaseModel):
    name: str
    summary: str
    paper: str
    needs: str


class PresetOut(BaseModel):
    name: str
    summary: str
    source: str
    consequence: str
    metrics: list[str]
    policy: dict[str, Any]


class MetricsResponse(BaseModel):
    metrics: list[MetricOut]
    presets: list[PresetOut]
    choices: dict[str, dict[str, str]]
    defaults: dict[str, Any]


def methods(offers: Offers) -> dict[str, Any]:
    """Return all methods, those for sets last, and the offers of this server."""
    infos = all_methods()
    listed = [_record(info) for info in infos if not info.for_sets]
    listed += [_offered(name) for name in offers]
    listed += [_record(info) for info in infos if info.for_sets]
    names = METHODS.names()
    chosen = {"default": DEFAULT_METHOD, "default_set": DEFAULT_SET_METHOD}
    languages = [one._asdict() for one in choices()]
    return chosen | {"fastest": fastest(names), "best": best(names), "methods": listed, "languages": languages}


def languages() -> dict[str, Any]:
    """Return all languages, and what there is for each."""
    return {"languages": [one._asdict() for one in all_languages()]}


def _record(info: MethodInfo) -> dict[str, Any]:
    reason, registry = _reason(info), SET_METHODS if info.for_sets else METHODS
    return (
        {"name": info.name, "summary": info.summary, "paper": info.paper, "needs": info.needs}
        | info.facts.record()
        | {
            "for": "sets" if info.for_sets else "documents",
            "available": not reason,
            "reason": reason,
            "scale": getattr(registry.get(info.name), "scale", "any"),
            "parameters": parameters(info.name, registry),
        }
    )


def _offered(name: str) -> dict[str, Any]:
    entry = {"name": name, "summary": "Offered by this server.", "paper": "", "needs": "", "for": "documents"}
    return entry | Facts().record() | {"available": True, "reason": "", "scale": "any", "parameters": []}


def _reason(info: MethodInfo) -> str:
    """Return why this server cannot run a method, or ""."""
    if info.facts.learns == YOURS:
        return "it needs a model of your own; this server may offer one under another name"
    return f"this server lacks {', '.join(info.missing)}" if info.missing else ""


def parameters(name: str, registry: Registry) -> list[dict[str, Any]]:
    """Return the parameters that a client may set."""
    found: list[dict[str, Any]] = []
    for field in fields(registry.get(name)):  # type: ignore[arg-type]
        allowed = set(types_of(field)) - {type(None)}
        kind, choices = "", choices_of(name, field)
        if choices:
            kind = "choice"
        elif field.name == "method":
            kind = "method"
        elif field.init and allowed <= {int, float, bool}:
            kind = "boolean" if bool in allowed else "number" if float in allowed else "integer"
        if kind:
            default = field.default if isinstance(field.default, (*PLAIN, str)) else str(field.default)
            more: dict[str, Any] = {"choices": list(choices)} if choices else {}
            if kind in ("number", "integer"):
                more["largest"] = largest(field)
            found.append({"name": field.name, "kind": kind, "default": default, **more})
    return found
