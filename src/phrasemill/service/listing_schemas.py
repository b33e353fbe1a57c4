"""The lists of methods, metrics and languages, and scores, as JSON."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Interval = Annotated[list[float | None], Field(min_length=2, max_length=2)]


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


class SystemOut(BaseModel):
    """The scores of one system, each with a signature that records how it was computed."""

    system: str
    preset: str
    gold: str = Field(description="A checksum of the gold.")
    scores: dict[str, float | None]
    signatures: dict[str, str]
    documents: dict[str, int]
    missing: list[str] = Field(description="Gold documents without an answer.")
    surplus: list[str] = Field(description="Answers without a gold document.")
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
    p_holm: float | None = Field(description="p after Holm's correction.")
    documents: int


class CurveOut(BaseModel):
    system: str
    values: list[float | None] = Field(description="The values at 1, 2, … 20.")


class EvaluateResponse(BaseModel):
    systems: list[SystemOut]
    shares: dict[str, bool] = Field(description="Whether each metric ranges from 0 to 1 and is shown in per cent.")
    differences: list[DifferenceOut]
    curves: dict[str, list[CurveOut]]
