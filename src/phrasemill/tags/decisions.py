"""What people decided about their tags: merges, splits and removals that were accepted, and proposals that were not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Decisions:
    """`renames` has what each tag became: one, several, or none. `refused` are keys of proposals, and `refused_tags`
    new tags, folded, that nobody wants."""

    renames: dict[str, tuple[str, ...]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    refused_tags: set[str] = field(default_factory=set)

    def accept(self, old: str, new: Sequence[str]) -> None:
        """Rename a tag; earlier renames to it follow. A tag that others become is not itself renamed any more."""
        for tag in new:
            self.renames.pop(tag, None)
        self.renames[old] = tuple(one for one in new if one != old)
        for other, became in self.renames.items():
            if old in became:
                self.renames[other] = tuple(dict.fromkeys(self.applied(became)))

    def applied(self, tags: Iterable[str]) -> tuple[str, ...]:
        """Return tags as they are called now, each once."""
        return tuple(dict.fromkeys(new for tag in tags for new in self.renames.get(tag, (tag,))))

    def record(self) -> dict[str, Any]:
        return {
            "renames": {old: list(new) for old, new in self.renames.items()},
            "refused": sorted(self.refused),
            "refused tags": sorted(self.refused_tags),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Decisions":
        renames = {old: tuple(new) for old, new in record["renames"].items()}
        return cls(renames, set(record["refused"]), set(record["refused tags"]))
