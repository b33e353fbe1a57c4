"""Texts of several kinds and fields, written for these tests, each with a title in its first line: by what they read
like."""

EVERYDAY = (
    """Sourdough for people with little time
You do not need a whole weekend to bake a good loaf. Feed the starter before breakfast, mix flour, water and salt when
you come home, and fold the dough three times while you cook dinner. Then put the bowl in the fridge and forget about
it. The next evening you shape the loaf, heat the iron pot for half an hour, and bake it with the lid on for the first
twenty minutes. My own bread was flat for months because I trusted the clock instead of the dough. If your kitchen is
cold, give it two hours more. If the crumb is gummy, you cut the bread too early: let it cool, however good it smells.
Friends often ask me which flour to buy. I tell them to take the cheapest strong flour they can find and to spend the
money on butter.""",
    """Moving the allotment shed
We finally moved the old shed last Saturday. Six of us turned up, and Margaret brought cake and a flask of coffee. The
roof came off first, because the felt was rotten and the nails fell out when you looked at them. Then we carried the
walls across the path one by one, past the beans and the water butt, while two children told us what we were doing
wrong. The new place gets sun until six, so the tomatoes can stand along the south wall next year. We found a robin's
nest behind the paint tins, empty, and a spade that somebody had reported stolen in 2011. Please bring back the
wheelbarrow if you borrowed it, and remember that the hosepipe stays locked away until the council repairs the tap.""",
    """How to choose a bicycle for commuting
The best bicycle for getting to work is the one that you will ride when it rains. Look for mudguards, a chain case and
lights that run off the wheel, since batteries are always empty in November. Gears matter less than shops say: in a
flat city three are enough, and a hub gear needs oil once a year. Try the saddle for at least an hour before you buy.
If you carry a laptop, get a rack and a bag instead of a rucksack, and your shirt stays dry. Spend a fifth of the price
on a lock. A used bicycle from a shop that gives a guarantee is better value than a new one from a supermarket, where
the brakes have been put together by someone in a hurry.""",
    """Interview with a lighthouse keeper
You lived on the island for eleven winters. What did you miss? Not people, to be honest. I missed trees. You get used
to the wind, and you learn to read in the noise of it, but after a year I dreamed about a birch behind my parents'
house. And the work? Every evening we wound up the weights that turned the lamp, and polished the lenses until we could
see our tired faces in them. When the light became automatic, they sent two men with a computer, and I showed them how
to make tea on the stove. Were you ever afraid? Once, when the boat did not come for five weeks and we ate the last
potatoes. My colleague sang to the goat so that she would give milk. I would go back tomorrow if they asked me.""",
)
NEWS = (
    """Harbour bridge to close for repairs
The harbour bridge will be closed to all traffic for ten days from Monday, the city council said on Thursday. Engineers
found cracks in two of the steel beams during an inspection last month. About 30,000 cars cross the bridge every day,
and police expect long delays on the ring road. "We know that this will be painful for commuters, but safety comes
first," Mayor Helen Dawson told reporters. Ferries will run every fifteen minutes, and passengers will not have to pay.
The opposition accused the council of having ignored warnings for years. Shop owners in the old town said they feared
for their business before the holidays. The repairs will cost 4.2 million pounds, of which the government has promised
to pay half, a spokesman said.""",
    """Striker leaves Rovers after nine seasons
Rovers captain Daniel Okafor will leave the club at the end of the season, he announced on Sunday after the 2-1 defeat
at home to United. The striker, 33, has scored 148 goals in nine seasons and led the team to the final of the cup in
2021. "It is the hardest decision of my career," Okafor said, in tears, to fans who had stayed in the stadium. Coach
Ian Fraser said that nobody could replace him. According to newspapers, the player has been offered a contract for two
years by a club in the United States. Rovers are fourteenth in the table with five matches left, and must win on Friday
to be safe. The police arrested eleven supporters after clashes near the railway station.""",
)
ABSTRACTS = (
    """Adaptive beam search for the scheduling of parallel batch machines
This paper addresses the problem of scheduling jobs with incompatible families on parallel batch processing machines
to minimize total weighted tardiness. We propose an adaptive beam search algorithm whose beam width is controlled by
the dispersion of the lower bounds at each level of the search tree. A dominance rule and a fast evaluation function
based on the apparent tardiness cost are derived. Computational experiments on randomly generated instances show that
the proposed algorithm outperforms a genetic algorithm and a simulated annealing approach in both solution quality and
computation time. The results indicate that the method finds optimal solutions for all small instances and reduces the
gap to the best known solutions for large instances.""",
    """Effects of chronic sleep restriction on glucose tolerance in young adults
Background: Sleep restriction has been associated with impaired glucose metabolism. The aim of this study was to
evaluate the effect of two weeks of moderate sleep restriction on insulin sensitivity. Methods: Twenty-four healthy
volunteers were randomized to a restricted or a control condition. Insulin sensitivity was assessed by an intravenous
glucose tolerance test, and plasma cortisol concentrations were measured. Results: Insulin sensitivity decreased
significantly in the restricted group, whereas no change was observed in controls. Evening cortisol concentrations were
elevated. Conclusions: These findings suggest that chronic moderate sleep restriction impairs glucose tolerance and may
contribute to the risk of type 2 diabetes.""",
    """Stability of sliding mode observers for nonlinear time-delay systems
A sliding mode observer is designed for a class of nonlinear systems with unknown time-varying delay. Sufficient
conditions for the asymptotic stability of the error dynamics are derived in terms of linear matrix inequalities by
means of a Lyapunov-Krasovskii functional. The proposed observer is robust to matched disturbances and does not require
knowledge of the bound of the delay derivative. A numerical example of a chemical reactor with recycle stream is
presented, and simulation results illustrate the effectiveness of the approach in comparison with a conventional
Luenberger observer.""",
)
TEXTS = {"everyday prose": EVERYDAY, "news": NEWS, "an abstract": ABSTRACTS}
EVERY = EVERYDAY + NEWS + ABSTRACTS
