/** Caps around slots that shrink or close. */
export const reductionLimits = {
	/** Slots and affected permits of one reduction. */
	slotsMax: 300,
	permitsMax: 20_000,
	/** From so many people on, and whenever a slot closes with people in it, a second person confirms. */
	secondPersonFrom: 500,
	/** Slots with room that are kept with a proposal for that person to see. */
	forecastRoomMax: 24,
	/** A proposal waits so long for that person. */
	proposalMs: 300_000,
	/** Permits that are offered places, or settled, in one transaction. */
	offerBatch: 50,
	settleBatch: 25,
	/** Batches in one round; then others have their turn. */
	batchesPerRound: 40,
	/** Of those for whom nothing was free, so many are looked at in a round. */
	waitingLook: 400,
	roundMs: 1_000,
	pollMs: 2_000,
	/** An offer stands at least so long, also where the old slot begins before. */
	answerMinMs: 600_000,
	/** Another place counts as this far away in time. */
	placeCostMs: 7_200_000,
	/** Slots that are tried for one permit. */
	candidatesMax: 48,
	/** Reductions in one answer, and how long one that is over stays on the glass. */
	shownMax: 20,
	shownAfterMs: 43_200_000,
	/** Answers of holders being written at the same moment, and waiting for it. */
	answersConcurrent: 4,
	answersWaiting: 400
} as const;
