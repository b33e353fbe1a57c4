"""Forms, letters and pages, written for these tests: labels, parties, addresses and links are no keyphrases."""

from off_domain_case import Case

FORMS = (
    Case(
        "contract whose parties have short names",
        """\
SUPPLY AGREEMENT

This Supply Agreement (the "Agreement") is entered into as of 3 March 2025 (the "Effective Date") by and between
Northfield Glass Ltd, a company registered in Leeds (the "Supplier"), and Marlowe Windows GmbH, with its seat in
Bremen (the "Customer"). The Supplier and the Customer are each referred to as a "Party" and together as the
"Parties".

1. Supply of Goods
The Supplier shall manufacture and deliver insulated glass units to the Customer in accordance with the purchase
orders issued under this Agreement. The Supplier shall use reasonable efforts to meet the delivery dates in each
purchase order.

2. Price and Payment
The Customer shall pay the prices in Annex B within thirty (30) days of receipt of a valid invoice. The Supplier may
adjust the prices once a year in line with the producer price index. Late payments bear interest at 8 per cent a
year.

3. Warranty
The Supplier warrants that the insulated glass units are free from manufacturing defects for a period of ten years.
The Customer's sole remedy for breach of this warranty is repair or replacement of the defective units.

4. Limitation of Liability
Except for gross negligence, the Supplier's total liability under this Agreement shall not exceed the amounts paid
by the Customer in the preceding twelve months. Neither Party is liable for loss of profit.

5. Confidentiality
Each Party shall keep the other Party's Confidential Information secret for five years after the end of this
Agreement.

6. Term and Termination
This Agreement runs for three years. Either Party may terminate it with six months' written notice. The Customer may
terminate at once if the Supplier becomes insolvent.

IN WITNESS WHEREOF the Parties have signed this Agreement.

Name: ______________   Title: ______________   Date: ______________""",
        (
            "supply agreement",
            "insulated glass units",
            "purchase orders",
            "warranty",
            "late payments",
            "confidentiality",
            "liability",
            "defective units",
        ),
        4,
        ("supplier", "customer", "agreement", "party", "parties", "name", "title"),
    ),
    Case(
        "minutes",
        """\
Riverside Allotment Association
Minutes of the committee meeting, 12 May 2024

Present: Joan Petrie (chair), Malik Osei, Tom Bradley, Lucia Ferro
Apologies: Hanna Weiss

1. Minutes of the last meeting
Approved without changes.

2. Water supply
Malik reported that the leak near plot 14 was repaired. The water bill for the first quarter is twice that of last
year. The committee agreed to fit a second meter and to ask members to use rain barrels. Action: Malik to get quotes
by June.

3. Waiting list
Tom said that 46 people are on the waiting list and that six plots are uncultivated. Letters will be sent to the
tenants of uncultivated plots. Action: Tom.

4. Bee hives
Lucia proposed to allow two bee hives on the northern strip. Joan asked about insurance. The committee agreed in
principle, subject to the insurer's consent.

5. Any other business
The summer open day is on 6 July. Volunteers are needed for the cake stall.

Next meeting: 9 June, 7 pm, in the shed.""",
        (
            "water supply",
            "waiting list",
            "uncultivated plots",
            "bee hives",
            "rain barrels",
            "riverside allotment association",
        ),
        4,
        ("malik", "tom", "lucia", "joan", "joan petrie", "hanna weiss", "present", "apologies"),
    ),
    Case(
        "job advertisement",
        """\
Data Engineer (m/f/d)
Location: Hamburg or remote
Employment type: Full-time
Reference number: DE-2291

About us
Windpark Analytics builds forecasting software for operators of wind farms. Our platform ingests turbine data every
second.

Your tasks
- Build and maintain data pipelines in Python and Apache Airflow
- Design the data model of our time series database
- Drive the migration from on-premise servers to Kubernetes
- Monitor data quality and fix incidents together with the operations team

Your profile
- Degree in computer science or comparable experience
- Three years of experience with SQL and stream processing
- Fluent English; German is a plus

What we offer
- 30 days of holiday, flexible working hours and a subsidised job ticket
- A training budget of 2,000 euros a year

Apply now! Please send your CV to jobs@windpark-analytics.example by 31 October. We are an equal opportunity
employer.""",
        (
            "data engineer",
            "data pipelines",
            "windpark analytics",
            "kubernetes",
            "data model",
            "wind farms",
            "apache airflow",
            "forecasting software",
        ),
        4,
        ("employment type", "location", "reference number", "m/f/d", "(m/f/d)", "drive", "full-time"),
    ),
    Case(
        "news with verbs that look like nouns",
        """\
City budget gap widens as tax receipts fall

By Anna Keller
LEEDS, March 4 (Reuters) - The city's budget gap widened to 84 million pounds in February, as business tax receipts
fell for the third month in a row, finance director Priya Raman said on Tuesday.

Raman told the council that inflation stays above four per cent and that rents rise faster than wages. "We cannot
close the budget gap by cutting libraries alone," she said.

Opposition leader Colin Webb called for a freeze on new hiring. Webb said the mayor's plan for a second tram line
should be postponed. The tram line would cost 410 million pounds over eight years. Mayor Tess Oduya defended the
tram line, saying it would make public transport feel safe and attractive for commuters from the northern suburbs.

Business groups warned against a rise in business rates. Unions and councillors clashed over pay for care workers.

Share this article: Facebook Twitter WhatsApp Copy link
Sign up for our newsletter. Read more: Council tax explained""",
        ("budget gap", "tax receipts", "tram line", "business rates", "public transport", "colin webb"),
        5,
        (
            "budget gap widens",
            "gap widens",
            "inflation stays",
            "rents rise",
            "public transport feel",
            "webb",
            "raman",
            "facebook",
            "copy link",
            "anna keller",
        ),
    ),
    Case(
        "letter of complaint",
        """\
14 Orchard Lane
Taunton TA1 4QX

22 January 2025

Somerset Water plc
Customer Services
PO Box 113

Re: Account no. 5520-118, incorrect water bill

Dear Sir or Madam,

I am writing about the water bill that I received on 15 January. It charges me for 212 cubic metres, although the
meter reading on 3 January was 1,046 and my annual consumption has never been above 90 cubic metres. I suspect an
estimated reading or a leak in the supply pipe.

I called your hotline twice and was promised a call back, which never came. Please send an engineer to test the
water meter and suspend the direct debit until the matter is settled. If I do not hear from you within fourteen
days, I will take my complaint to the Consumer Council for Water.

Yours faithfully,

Margaret Hollis""",
        ("water bill", "water meter", "meter reading", "supply pipe", "direct debit", "somerset water plc"),
        4,
        ("orchard lane", "taunton ta1 4qx", "taunton", "margaret hollis", "po box", "dear sir", "madam"),
    ),
    Case(
        "product page",
        """\
AeroBrew Travel Coffee Press - 350 ml

$34.99  In stock  Free shipping over $50
4.7 out of 5 stars (1,283 ratings)

Brew barista-quality coffee anywhere. The AeroBrew is a double-walled stainless steel mug with a built-in French
press. The silicone plunger seals the coffee grounds at the bottom, so that your coffee does not turn bitter. Vacuum
insulation keeps drinks hot for six hours.

Features
- Leak-proof lid with locking button
- BPA-free, dishwasher-safe parts
- Fits most car cup holders

Specifications
Capacity: 350 ml
Weight: 290 g
Material: stainless steel, silicone
Warranty: 2 years

Add to cart | Add to wishlist | Compare
Customers also bought: burr coffee grinder""",
        (
            "aerobrew",
            "stainless steel",
            "vacuum insulation",
            "silicone plunger",
            "coffee grounds",
            "built-in french press",
        ),
        4,
        ("warranty", "silicone warranty", "capacity", "weight", "material", "wishlist", "cart"),
    ),
    Case(
        "page about an illness",
        """\
What is plantar fasciitis?

Plantar fasciitis is one of the most common causes of heel pain. It involves inflammation of a thick band of tissue,
the plantar fascia, that runs across the bottom of each foot and connects the heel bone to the toes.

Plantar fasciitis commonly causes stabbing pain that usually occurs with your first steps in the morning. As you get
up and move, the pain normally decreases, but it might return after long periods of standing. The condition is more
common in runners and in people who are overweight.

Treatment
Most people recover in several months with conservative treatment such as icing the painful area, stretching and
modifying activities that cause pain. Night splints hold the plantar fascia in a lengthened position overnight.
Steroid injections can provide temporary relief. Few people need surgery to detach the plantar fascia from the heel
bone.

Last reviewed: 12 June 2023. Medically reviewed by Dr. Alan Pike, MD.""",
        ("plantar fasciitis", "plantar fascia", "heel pain", "heel bone", "steroid injections", "night splints"),
        4,
        ("alan pike", "dr. alan pike", "last reviewed", "june"),
    ),
)
