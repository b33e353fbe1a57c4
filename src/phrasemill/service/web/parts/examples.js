/** Example texts, written for this page. */

import { withContent } from "./documents.js";
import { goldLine } from "./review.js";

export const EXAMPLE = withContent({
  id: "example",
  name: "Offshore wind farms are becoming artificial reefs",
  title: "Offshore wind farms are becoming artificial reefs, and fish are moving in",
  text: `When engineers drove the first steel foundations into the sea floor off Denmark, nobody planned a nature reserve. Twenty years later, marine biologists who dive among the wind turbines of the North Sea find something close to one: mussels, anemones and sea stars cover the foundations down to the scour protection, the ring of boulders that keeps currents from washing the sand away.

A survey published this week counted fish at eleven offshore wind farms with baited cameras and acoustic tags. Atlantic cod were three times as common within fifty metres of a turbine foundation as on the open sand nearby, and tagged cod stayed for months. “The scour protection is the artificial reef that counts,” says the marine ecologist who led the survey. “A bare steel pile feeds mussels. A pile of boulders gives young cod a place to hide.”

The effect is not simply a gift. Hard foundations on a sandy sea floor are stepping stones for invasive species, and the noise of pile driving can be heard by harbour porpoises twenty kilometres away. Bubble curtains, rings of compressed air released around a pile during construction, cut that noise by roughly ninety percent, and most North Sea countries now require them.

What happens after twenty-five years, when the turbines wear out, is less clear. International rules ask for offshore structures to be removed entirely. Removing the scour protection would also remove the artificial reef, and several marine biologists argue that decommissioning plans should leave the boulders where they lie. Fishing crews are divided: trawling is banned inside most wind farms, yet some report better catches of cod and brown crab along their edges.

The survey team will return each spring until 2030. By then, offshore wind capacity in the North Sea is expected to have tripled, and with it, perhaps, an artificial reef larger than any that was ever built on purpose.`,
});

const HEAT = {
  "Shade by design": "Street trees cool a pavement by ten degrees at noon. The city will plant six thousand street trees along bus routes, because people who wait for public transport feel a heat wave first. Planners also test awnings over playgrounds, where night temperatures hardly fall after a heat wave.",
  "White roofs, cool rooms": "Cool roofs reflect most of the sunlight that dark roofs soak up. In a trial on forty apartment blocks, cool roofs lowered indoor temperatures by three degrees during a heat wave. Green roofs did as well, but cost four times as much and need water in summer.",
  "When nights stay hot": "Doctors worry less about the hottest hour than about night temperatures. After three tropical nights emergency calls rise by a fifth. Cooling centres open in libraries during a heat wave, and older people who live alone are telephoned every evening.",
  "The price of air conditioning": "Air conditioning saves lives and warms the street. Waste heat from air conditioning adds up to two degrees to night temperatures in dense districts. Cool roofs and street trees reduce the need for it, the study finds, and spare the electricity grid in a heat wave.",
  "Water in the square": "Mist fountains and ponds cool small squares, but only where there is wind. Street trees around the water double the effect. During a heat wave the fountains run until midnight, because night temperatures decide how well people sleep.",
  "A map of hot corners": "Volunteers drove with sensors through every district to map the urban heat island. The urban heat island is strongest where there are no street trees and where dark roofs lie close together. The map decides where cool roofs are paid for first and where cooling centres open.",
};

const FLOODS = {
  "Streets that drink": "Porous paving lets storm water sink into the ground. After cloudbursts, streets with porous paving were dry within an hour, while storm sewers elsewhere overflowed. Rain gardens along the kerb hold what the paving cannot.",
  "The thousand-year cloudburst": "Two cloudbursts in ten years have changed how the city builds. Storm sewers were made for gentle rain; storm water now runs along streets that were lowered on purpose, into parks that may flood. Flood insurance has become cheaper there.",
  "Roofs against the flood": "Green roofs hold the first twenty millimetres of rain. Where half of all houses have green roofs, storm sewers overflow half as often. Owners get a rebate on the storm water fee, and their flood insurance asks for less.",
  "Gardens at the kerb": "Rain gardens are shallow beds that fill in a cloudburst and empty within a day. Schools look after two hundred rain gardens. Storm water that passes through them carries less oil into the river.",
  "Who pays for wet cellars": "Flood insurance covers the cellar once, not three times. After the last cloudburst insurers drew flood maps of their own, street by street. Houses below the level of the storm sewers need valves, or lose their flood insurance.",
  "A river gets room": "Dikes were moved back to give the river a flood plain. The flood plain takes the peak of the wave, and storm water from the city drains faster. Flood maps show four thousand houses that are safer now.",
};

const collection = (texts) => Object.entries(texts).map(([title, text]) =>
  withContent({ id: title, name: title, title, text }));

export const EXAMPLE_SET = collection(HEAT);
export const EXAMPLE_OTHER_SET = collection(FLOODS);

const GOLD = {
  heat: ["street trees", "cool roofs", "heat wave", "night temperatures"],
  floods: ["storm water", "rain gardens", "flood insurance"],
  reefs: ["artificial reefs", "offshore wind farms", "scour protection", "Atlantic cod"],
  rail: ["night trains", "sleeping cars", "timetables", "rail freight"],
  soil: ["soil carbon", "cover crops", "no-till farming"],
  tides: ["tidal energy", "underwater turbines", "spring tides"],
  bees: ["wild bees", "flower strips", "pesticides", "pollination"],
  paper: ["recycled paper", "fibre length", "de-inking"],
};
const FIRST = {
  heat: ["heat wave", "street trees", "bus routes", "public transport", "cool roof", "playgrounds", "night temperatures"],
  floods: ["storm water", "cloudbursts", "rain garden", "porous paving", "storm sewers", "kerb"],
  reefs: ["artificial reef", "offshore wind farm", "sea floor", "Atlantic cod", "mussels", "scour protection", "survey"],
  rail: ["night trains", "sleeping car", "new routes", "railways", "border stations", "timetable"],
  soil: ["cover crops", "soil carbon", "farmers", "ploughing", "carbon credits", "no-till farming"],
  tides: ["tidal energy", "sea water", "channel", "electricity", "spring tide", "turbines"],
  bees: ["wild bees", "flower strips", "pollination", "orchards", "honey", "hedges", "pesticide"],
  paper: ["recycled paper", "paper mills", "cardboard", "fibre length", "water", "newsprint"],
};
const SECOND = {
  heat: ["city", "heat wave", "bus routes", "trees", "six thousand street trees"],
  floods: ["streets", "storm water", "paving", "hour", "storm sewers"],
  reefs: ["engineers", "steel foundations", "artificial reef", "fish", "survey"],
  rail: ["night trains", "passengers", "ministers", "sleeping cars", "summer"],
  soil: ["soil", "cover crops", "measurements", "tonnes", "no-till farming"],
  tides: ["tides", "tidal energy", "channel", "turbines", "harbour"],
  bees: ["bees", "flower strips", "fields", "study", "spring"],
  paper: ["paper", "mills", "recycled paper", "boxes", "ink"],
};
const lines = (answers) => Object.entries(answers).map(([id, keyphrases]) => goldLine(id, keyphrases)).join("");

export const EXAMPLE_PREDICTIONS = [{ name: "system A", text: lines(FIRST) }, { name: "system B", text: lines(SECOND) }];
export const EXAMPLE_GOLD = { name: "gold", text: lines(GOLD) };
