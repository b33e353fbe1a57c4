"""Sets of short texts, written for these tests."""

from phrasemill.types import Document

FLOOD = [
    Document(
        "flood-1",
        "President Maria Alvarez visited the Lower Tano on Tuesday, where the dam failure had left four villages under "
        "water. The National Water Agency (NWA) said that the spillway gates had jammed. Alvarez promised emergency "
        "relief. The dam failure was the worst since records began, the NWA said.",
        "Dam failure floods the Lower Tano",
    ),
    Document(
        "flood-2",
        "Engineers of the NWA inspected the spillway gates of the Tano dam on Wednesday. The failure of the dam forced "
        "2,000 people to leave. Maria Alvarez, who took office in May, called for a review of old dams. Emergency "
        "relief reached the villages by boat.",
        "Spillway gates blamed for flood",
    ),
    Document(
        "flood-3",
        "Insurers expect large claims after the dam failure. Emergency relief will cost the state more than the "
        "spillway gates would have, said Jonas Berg of the Insurers Union. President Alvarez did not comment. The "
        "National Water Agency will publish its report in June.",
        "Insurers count the cost",
    ),
]
CHESS = [
    Document(
        "chess-1",
        "The endgame tablebase settled an old question about rook endings. Chess engines now consult the endgame "
        "tablebase before they search. A tablebase with eight pieces would fill a warehouse of disks.",
        "Tablebases and engines",
    ),
    Document(
        "chess-2",
        "Opening theory changed when chess engines learned by self-play. The opening repertoire of a club player is "
        "small, yet chess engines punish every gap in it.",
        "Engines and openings",
    ),
]
FRENCH = Document(
    "marais",
    "Les oiseaux migrateurs reviennent dans les marais salants au printemps. Les marais salants nourrissent les "
    "oiseaux migrateurs, et les visiteurs viennent les compter.",
    "Les marais salants",
    "fr",
)
