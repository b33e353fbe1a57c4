"""The lists of methods, metrics and languages, and scores, as JSON."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Interval = Annotated[list[float | None], Field(min_length=2, max_length=2)]


class ParameterOut(BaseModel):
    name: str
    kind: Literal["integer", "number", "boolean", "choice", "method"]
    default: Any
    choices: list[str] = []
    largest: float | None = Field(default=None, description="Of a number: what is accepted over the network.")


class MethodOut(BaseModel):
    name: str
    summary: str
    paper: str
    needs: str
    used_for: Literal["documents", "sets"] = Field(alias="for")
    available: bool
    reason: str = Field(description="Why this server cannot run it.")
    scale: Literal["probability", "log-odds", "any"] = Field(description="What its scores are.")
    speed: float | None = Field(description="Abstracts per second on one core.")
    pace: str = Field(description="The same in a word.")
    indexers: float | None = Field(description="F1@10 on Inspec's development split.")
    authors: float | None = Field(description="F1@10 on author keywords.")
    learns: str = Field(description="nothing, shipped or yours: the model that it needs.")
    megabytes: float
    install: str = Field(description="What is to be installed besides the package.")
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
    """A language, and what there is for it."""

    detected: bool = Field(description="Whether it is found from the text.")
    tagger: bool = Field(description="Whether words are tagged, so that candidates are noun phrases.")
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


class SystemOut(BaseModel):
    """The scores of one system, each with the signature of what produced it."""

    system: str
    preset: str
    gold: str = Field(description="A checksum.")
    scores: dict[str, float | None]
    signatures: dict[str, str]
    documents: dict[str, int]
    missing: list[str]
    surplus: list[str]
    intervals: dict[str, Interval] = {}
    per_document: dict[str, dict[str, float | None]]


class DifferenceOut(BaseModel):
    """The difference between two systems."""

    metric: str
    a: str
    b: str
    a_value: float | None
    b_value: float | None
    difference: float | None
    interval: Interval
    p: float | None
    p_holm: float | None
    documents: int


class CurveOut(BaseModel):
    system: str
    values: list[float | None] = Field(description="At 1, 2, … 20.")


class EvaluateResponse(BaseModel):
    systems: list[SystemOut]
    shares: dict[str, bool] = Field(description="Whether a metric is from 0 to 1, shown in per cent.")
    differences: list[DifferenceOut]
    curves: dict[str, list[CurveOut]]
