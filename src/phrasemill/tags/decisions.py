"""What people decided about their tags: merges, splits and removals that were accepted, and proposals that were not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Decisions:
    """`renames` has what each tag became: one, several, or none. `refused` are keys of proposals, and `refused_tags`
    new tags, folded, that nobody wants. `given` are the tags that feedback gave to documents, by id."""

    renames: dict[str, tuple[str, ...]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    refused_tags: set[str] = field(default_factory=set)
    given: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def accept(self, old: str, new: Sequence[str]) -> None:
        """Rename a tag; earlier renames to it follow. A tag that others become is not itself renamed any more."""
        for tag in new:
            self.renames.pop(tag, None)
        self.renames[old] = tuple(one for one in new if one != old)
        for other, became in self.renames.items():
            if old in became:
                self.renames[other] = tuple(dict.fromkeys(self.applied(became)))

    def give(self, id_: str, tags: Iterable[str], *, refused: Iterable[str]) -> None:
        """Keep which tags a document was given, and none that were refused for it."""
        found = dict.fromkeys([*self.given.get(id_, ()), *tags])
        self.given[id_] = tuple(tag for tag in found if tag not in set(refused))

    def applied(self, tags: Iterable[str]) -> tuple[str, ...]:
        """Return tags as they are called now, each once."""
        return tuple(dict.fromkeys(new for tag in tags for new in self.renames.get(tag, (tag,))))

    def record(self) -> dict[str, Any]:
        return {
            "renames": {old: list(new) for old, new in self.renames.items()},
            "refused": sorted(self.refused),
            "refused tags": sorted(self.refused_tags),
            "given": {id_: list(tags) for id_, tags in self.given.items()},
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Decisions":
        renames = {old: tuple(new) for old, new in record["renames"].items()}
        given = {id_: tuple(tags) for id_, tags in record["given"].items()}
        return cls(renames, set(record["refused"]), set(record["refused tags"]), given)
