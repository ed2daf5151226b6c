/** Caps of what is rehearsed, and of what is expected. */
export const runLimits = {
	forecast: {
		keepDays: 400,
		/** Made without a press, so that there is something to judge by. */
		regularEveryMs: 600_000,
		/** Judged so long after its end: the last seconds must have been stored. */
		judgeAfterMs: 30_000,
		judgedAtOnce: 20,
		/** Those that the accuracy is the middle of, and that are shown. */
		shown: 20
	},
	readiness: {
		/** Evidence is good for so long: a system that nobody touched changes around itself. */
		runDaysMax: 30,
		drillDaysMax: 60,
		notesDaysMax: { 'external-limits': 180, backup: 90 },
		/** A scanner that was not heard for so long is not synced; its lists may not be older. */
		scannerHoursMax: 24,
		/** The admission rate may differ from the one of the run by so much. */
		rateShareMax: 0.01,
		spikesShown: 50,
		namesShown: 10
	},
	runs: {
		/** A second person confirms, or withdraws, within this; then the generator begins within that. */
		proposalMs: 300_000,
		readyMs: 1_800_000,
		/** A generator that says nothing for so long is gone: the run was interrupted. */
		silentMs: 15_000,
		beatEveryMs: 1_000,
		/** The report is written so long after the load: the last seconds must have been stored. */
		settleMs: 8_000,
		/** A run that was told to stop and does not is ended by its process so much later. */
		killAfterMs: 5_000,
		/** Bytes of what the generator says. */
		bodyBytes: 262_144,
		figuresFreshMs: 10_000,
		shown: 100
	}
} as const;
