"""Ids of documents, made unique within an answer."""


class UniqueIds:
    """Makes ids unique: the second `a` becomes `a (2)`."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def unique(self, id: str) -> str:
        one = id
        while one in self._taken:
            self._numbers[id] = self._numbers.get(id, 1) + 1
            one = f"{id} ({self._numbers[id]})"
        self._taken.add(one)
        return one
