"""Texts far from abstracts, written for these tests: what keyphrases of them must and must not be."""

from off_domain_case import Case
from off_domain_forms import FORMS

CASES = (
    Case(
        "manual page",
        """NAME
    pack - compress or expand files

SYNOPSIS
    pack [-dfkv] [-S suffix] [file ...]

DESCRIPTION
    The pack program compresses files with an adaptive dictionary coder. Each file is replaced by one with the
    extension .pk, while keeping the same ownership, permissions and modification time. If no files are given, the
    standard input is compressed to the standard output. Compressed files can be restored to their original form with
    pack -d. The compression level trades speed against size: level 1 uses a small dictionary, level 9 a large one.
    Symbolic links are ignored unless the force option is given. When writing to a terminal, pack refuses to send
    compressed data, because control characters could confuse the terminal.

OPTIONS
    -d  Decompress.
    -f  Force compression even if the file has several links or the output file exists.
    -k  Keep the input file.
    -v  Verbose: print the compression ratio of each file.""",
        (
            "compression ratio",
            "adaptive dictionary coder",
            "compressed files",
            "standard input",
            "symbolic links",
            "compression level",
            "standard output",
            "dictionary",
            "pack program",
            "control characters",
        ),
        4,
        ("same", "several", "given", "name"),
    ),
    Case(
        "contract",
        """SERVICE AGREEMENT

This agreement is made between Harbour Logistics Ltd (the Carrier) and Fenwick Foods plc (the Customer). The Carrier
shall collect, store and deliver refrigerated goods on behalf of the Customer at the delivery addresses listed in
Schedule A. The Customer shall pay the monthly service fee within thirty days of the invoice date. Late payment bears
interest at four per cent above the base rate. The Carrier's liability for loss or damage to the refrigerated goods is
limited to the replacement value of the goods. Neither party is liable for delay caused by force majeure, including
strikes, floods and war. Either party may terminate this agreement by giving ninety days' written notice. On
termination, the Carrier shall return all goods held in cold storage. Disputes shall be settled by arbitration in
Bristol under the law of England. Confidential information disclosed under this agreement must not be passed to third
parties for five years after termination.""",
        (
            "refrigerated goods",
            "force majeure",
            "cold storage",
            "service agreement",
            "late payment",
            "termination",
            "arbitration",
            "replacement value",
            "monthly service fee",
            "confidential information",
        ),
        4,
        ("thirty days", "four", "behalf", "five years"),
    ),
    Case(
        "e-mail",
        """Subject: Office move - what to do before Friday

Hi all,

thanks for your patience with the office move. A few reminders. Please pack your desk by Thursday evening; moving boxes
are in the kitchen on the second floor. Label every box with your name and your new desk number, which you find in the
seating plan on the intranet. The movers will not touch monitors, so unplug them and leave them on the desk. The server
room will be shut down on Friday at noon, and the file server and the printers come back on Monday morning. If you need
remote access over the weekend, ask the help desk for a temporary laptop. The new building uses key cards: collect
yours at reception with your staff badge.

Have a great week, and see you on the other side!

Best wishes,
Marta""",
        (
            "office move",
            "moving boxes",
            "seating plan",
            "server room",
            "file server",
            "key cards",
            "remote access",
            "help desk",
            "staff badge",
            "temporary laptop",
        ),
        4,
        ("hi", "thanks", "best wishes", "great week", "please", "see you"),
    ),
    Case(
        "transcript",
        """MODERATOR: Okay, so, welcome back. We were talking about, um, urban gardens and who pays for them.
DR. OSEI: Right. So what we see is that community gardens, they start with volunteers, you know, and then after about
three years the volunteers get tired. And the city has no budget line for it.
MODERATOR: No budget at all?
DR. OSEI: Well, there's the green space fund, but that is for parks. The soil is the expensive thing. Most vacant lots
have contaminated soil, lead mostly, so you need raised beds, and raised beds cost money.
MS. LINDQVIST: Can I add something? In our project, the housing association pays for the raised beds and the water
supply, and the tenants run the garden. It works because, yeah, the tenants feel it is theirs.
MODERATOR: Interesting. So shared ownership, basically.
DR. OSEI: Shared ownership, exactly. And contaminated soil is then the landlord's problem.""",
        (
            "community gardens",
            "contaminated soil",
            "raised beds",
            "shared ownership",
            "housing association",
            "urban gardens",
            "vacant lots",
            "green space fund",
            "water supply",
        ),
        4,
        ("okay", "yeah", "right", "um", "thing", "something", "you know"),
    ),
    Case(
        "product description",
        """\
The TrailLite 40 is a lightweight hiking backpack for trips of two to four days. The ripstop nylon shell has a
water-repellent coating, and a rain cover folds into a pocket at the bottom. The adjustable back system fits torso
lengths from 42 to 54 centimetres; the padded hip belt carries most of the weight. Two side pockets hold water bottles
of up to one litre, and the hydration sleeve takes a three-litre bladder. Compression straps keep the load close to the
body. Ice axe loops and a removable top lid make it suitable for alpine tours. Weight: 1,150 grams. Machine washable at
30 degrees. Free shipping on orders over 50 euros, free returns within 30 days.""",
        (
            "lightweight hiking backpack",
            "hiking backpack",
            "ripstop nylon shell",
            "water-repellent coating",
            "adjustable back system",
            "padded hip belt",
            "hip belt",
            "hydration sleeve",
            "rain cover",
            "compression straps",
            "TrailLite",
        ),
        4,
        ("30 days", "free", "most", "50 euros"),
    ),
    Case(
        "recipe",
        """\
Sourdough rye bread. The evening before, mix the rye flour with the sourdough starter and the warm water, cover
the bowl and leave it at room temperature. In the morning the dough should be full of bubbles. Add salt and wheat flour
and knead for ten minutes. Let the dough rise for two hours, shape a loaf and put it into a floured proofing basket.
Heat the oven to 250 degrees with a baking stone inside. Score the loaf, bake it for fifteen minutes with steam, then
lower the heat and bake for another forty minutes, until the crust is dark and the bread sounds hollow.""",
        (
            "sourdough rye bread",
            "sourdough starter",
            "rye flour",
            "wheat flour",
            "proofing basket",
            "baking stone",
            "dough",
            "rye bread",
        ),
        4,
        ("ten minutes", "morning", "forty minutes", "another"),
    ),
    Case(
        "court report",
        """\
A county court on Tuesday ordered a salmon farm on the west coast to stop using copper-based paint on its nets,
after anglers complained that trout in the neighbouring river were dying. Judge Helen Marr said that the farm's owner,
Norvik Aquaculture, had ignored two warnings from the environment agency. Water samples taken last autumn contained
copper at nine times the permitted level. Norvik said that it would appeal. "We have used approved products throughout,"
a spokesman said. The Anglers' Association, which brought the case, welcomed the ruling. Environmental groups have long
argued that salmon farming harms wild trout, but prosecutions are rare.""",
        (
            "salmon farm",
            "Norvik Aquaculture",
            "copper-based paint",
            "environment agency",
            "salmon farming",
            "wild trout",
            "water samples",
            "county court",
            "Anglers' Association",
            "environmental groups",
        ),
        4,
        ("tuesday", "spokesman", "last autumn", "nine times", "two warnings"),
    ),
    Case(
        "bug report",
        """Crash when exporting a report with more than 65,535 rows. Steps to reproduce: open a large data set, choose
Export, select the spreadsheet format and press OK. Expected: the file is written. Actual: the application crashes with
a memory access violation, and the temporary file is left in the cache folder. The crash log shows an integer overflow
in the row counter of the export module. The CSV format is not affected. As a workaround, split the data set with the
filter dialog before the export. Seen in version 4.2.1 on two machines; version 4.1 is fine.""",
        (
            "integer overflow",
            "memory access violation",
            "row counter",
            "export module",
            "spreadsheet format",
            "crash log",
            "large data set",
            "temporary file",
            "cache folder",
            "filter dialog",
            "CSV format",
        ),
        4,
        ("two machines", "ok", "fine", "more", "steps"),
    ),
    Case(
        "agency report",
        """FEDERAL RESERVE HOLDS RATES
By Dana Whitlow, Staff Writer

FRANKFURT, 3 May (Reuters) - The Federal Reserve left its interest rate unchanged on Wednesday as the trade gap widens
to a record. Economists had expected the Federal Reserve to wait for inflation figures. Bond yields fell in early
trading, and the euro rose.

(Reporting by Jane Roe; Editing by Max Low)

© 2024 Thomson Reuters. All rights reserved.""",
        ("Federal Reserve", "interest rate", "trade gap", "inflation figures", "bond yields", "economists"),
        4,
        (
            "FEDERAL RESERVE HOLDS",
            "dana whitlow",
            "staff writer",
            "frankfurt",
            "reuters",
            "thomson reuters",
            "trade gap widens",
            "jane roe",
            "rights",
        ),
    ),
    Case(
        "mail with headers and a signature",
        """From: Jane Smith <jane.smith@example.org>
To: Web team
Date: Mon, 4 May 2026
Subject: Website relaunch

Hi team,

the website relaunch moves to June, because the payment gateway is not ready. Please test the checkout page with your
own credit cards and write down what goes wrong. The loading time of the product pages has halved.

Kind regards,
Jane Smith
Head of Digital Products
Acme Widgets Ltd

Sent from my iPhone""",
        ("website relaunch", "payment gateway", "checkout page", "credit cards", "loading time", "product pages"),
        4,
        (
            "jane smith",
            "acme widgets ltd",
            "digital products",
            "kind regards",
            "iphone",
            "hi team",
            "subject",
            "web team",
        ),
    ),
    Case(
        "interview with labels",
        """Interviewer: What made you study glaciers?
JOHN: I grew up near an ice field. The mass balance of glaciers fascinated me.
Interviewer: And the ice cores?
JOHN: Ice cores store old air. We drill ice cores with a hot-water drill.
Q: Do you go every year?
A: Every second year, when the research vessel is free.""",
        ("ice cores", "glaciers", "mass balance", "ice field", "hot-water drill", "research vessel", "old air"),
        4,
        ("interviewer", "john", "q", "a"),
    ),
    Case(
        "paper with its licence",
        """Soil microbes and drought

Drought changes soil microbial communities. We sampled soil microbes in twelve meadows before and after a dry summer.
Table 2 and Figure 3 list the fungi. Mycorrhizal fungi survived where roots were deep; Section 2.1 has the methods.

This is an open access article distributed under the terms of the Creative Commons Attribution License, which permits
unrestricted use, distribution, and reproduction in any medium, provided the original work is properly cited.
ISSN 2049-3630. DOI: 10.1000/xyz123""",
        ("soil microbes", "drought", "soil microbial communities", "mycorrhizal fungi", "meadows", "dry summer"),
        4,
        (
            "creative commons attribution license",
            "creative commons",
            "open access article",
            "reproduction",
            "license",
            "table",
            "figure",
            "section",
            "issn",
            "doi",
        ),
    ),
    Case(
        "post with handles and tags",
        """Long queue at the ferry terminal again, @harbourlive! The night ferry leaves from pier 4, and the car deck is
full of camper vans. #FerryChaos #SummerHolidays Read more at www.example.org/ferry or write to desk@example.org. The
ferry terminal has two toilets for three thousand passengers.""",
        ("ferry terminal", "night ferry", "car deck", "camper vans", "passengers", "pier"),
        4,
        ("harbourlive", "@harbourlive", "#ferrychaos", "ferrychaos", "#summerholidays", "desk@example.org"),
    ),
    Case(
        "recipe for cookies on a page with a banner",
        """Oat cookies

Mix 200 g rolled oats with brown sugar and soft butter. Shape the cookies with two spoons and bake the cookies at 180
degrees until the edges are brown. The cookies keep for a week in a tin. Chocolate chips can be added to the cookies.

This website uses cookies to improve your experience. Privacy Policy""",
        ("oat cookies", "cookies", "rolled oats", "brown sugar", "soft butter", "chocolate chips"),
        4,
        ("website", "experience", "g", "200 g"),
    ),
    Case(
        "text that was wrapped and hyphenated",
        """\
The town plans a district heating network that takes warmth from the waste-
water plant. Heat pumps in the treatment works raise the tempera-
ture of the water to eighty degrees, and insulated pipes carry it to three
thousand homes. Residents who join the district heating network need no gas
boiler. The council expects that heat pumps will pay for themselves in twelve
years.""",
        ("district heating network", "heat pumps", "insulated pipes", "treatment works", "gas boiler", "temperature"),
        4,
        ("tempera", "ture", "waste", "heating"),
    ),
    *FORMS,
)
