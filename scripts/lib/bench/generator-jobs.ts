/** What a generator is to do; runs in a process of its own, so that its work is not counted to the server. */
export type Job = AnswersJob | OpeningJob | GatedJob;

/** So many equal calls over so many connections, each as soon as the one before is answered. */
export type AnswersJob = {
	kind: 'answers';
	url: string;
	method: 'GET' | 'POST';
	/** Paths and, for POST, bodies; used one after the other, round and round. */
	paths: readonly string[];
	bodies?: readonly string[];
	/** Sent as `Authorization: Bearer`, one after the other. */
	tokens?: readonly string[];
	/** Index of the first path, body and token. */
	from: number;
	count: number;
	connections: number;
};

/** So many people who book in the same second without a room, and obey `Retry-After`. */
export type OpeningJob = { kind: 'opening'; url: string; people: number; slots: number };

/** So many people who join in the same second and book when they are let in. */
export type GatedJob = {
	kind: 'gated';
	url: string;
	people: number;
	slots: number;
	/** As the server says, or every second in step, or every second at moments of their own. */
	pace: 'told' | 'in-step' | 'jitter';
};

export type AnswersResult = { count: number; ms: number; bytes: number; statuses: Record<string, number> };
export type PeopleResult = {
	booked: number;
	gaveUp: number;
	/** Different permits handed out. */
	permits: number;
	statuses: Record<string, number>;
	bookMs: number[];
	waitMs: number[];
	polls: number;
	ms: number;
};
export type ResultOf<J extends Job> = J extends AnswersJob ? AnswersResult : PeopleResult;
