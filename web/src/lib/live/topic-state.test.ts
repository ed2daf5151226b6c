import { expect, test } from 'vitest';
import { applyPatch, applySnapshot } from './topic-state.ts';
import {
	sampleDecision,
	sampleEvacuation,
	sampleGap,
	sampleGate,
	sampleHand,
	sampleProposal,
	sampleScanner,
	sampleSpike
} from '../../../dev/samples.ts';

const snapshot = (state: Record<string, unknown>) =>
	applySnapshot({ topic: 'spike', stream: 'one', seq: 1, at: 1_000_000, state });

test('everything the server puts on the spike topic reaches the screens, and nothing of another shape', () => {
	const state = { now: sampleSpike(), decisions: [sampleDecision()], hand: sampleHand() };
	const taken = snapshot(state);
	expect(taken).toMatchObject({ kind: 'applied', dropped: 0 });
	if (taken.kind !== 'applied') return;
	expect(Object.fromEntries(taken.copy.values)).toEqual(state);
	const bad = snapshot({ ...state, decisions: [{ at: 'yesterday' }], hand: null, later: 1 });
	expect(bad).toMatchObject({ kind: 'applied', dropped: 3 });
	const patched = applyPatch(new Map([['spike', taken.copy]]), {
		...{ topic: 'spike', stream: 'one', seq: 2, at: 1_000_001 },
		changes: { decisions: [sampleDecision({ perSecond: 90 }), sampleDecision()] }
	});
	expect(patched.kind === 'applied' && patched.copy.values.get('decisions')).toHaveLength(2);
});

test('gates, proposals and an evacuation reach the screens, and only on their own topic', () => {
	const state = {
		'gate:gate-5': sampleGate(),
		proposals: [sampleProposal()],
		evacuation: sampleEvacuation()
	};
	const at = (topic: string) => applySnapshot({ topic, stream: 'one', seq: 1, at: 1_000_000, state });
	const taken = at('crowd');
	expect(taken).toMatchObject({ kind: 'applied', dropped: 0 });
	if (taken.kind === 'applied') expect(Object.fromEntries(taken.copy.values)).toEqual(state);
	expect(at('spike')).toMatchObject({ dropped: 3 });
	expect(at('dispatch')).toMatchObject({ dropped: 3 });
});

test('gaps and scanners reach the screens, and a key without its thing does not', () => {
	const state = { 'gap:gate-5': sampleGap(), 'scanner:s-0123456789ab': sampleScanner() };
	const more = { gap: sampleGap(), 'gap:gate-6': sampleScanner() };
	const taken = applySnapshot({
		...{ topic: 'crowd', stream: 'one', seq: 1, at: 1_000_000 },
		state: { ...state, ...more }
	});
	expect(taken).toMatchObject({ kind: 'applied', dropped: 2 });
	if (taken.kind === 'applied') expect(Object.fromEntries(taken.copy.values)).toEqual(state);
});

test('slots that shrink reach the screens, and what is none does not', () => {
	const group = { permits: 1, people: 2 };
	const reduction = {
		...{ id: 'r-1', state: 'running', reason: 'a lane', by: 'Duty', byId: '1', confirmedBy: null },
		...{ proposedAt: 1, expiresAt: 2, startedAt: 1, endedAt: null, slots: [], affected: group },
		...{
			progress: { offered: group },
			answerUntil: 3,
			target: { kind: 'slot', slot: 1, capacity: 0 },
			forecast: null
		},
		terms: {
			...{ answerMinutes: 120, withinHours: 24, otherPlaces: false },
			...{ unanswered: 'move', withoutRoom: 'keep' }
		}
	};
	const state = { 'reduction:r-1': reduction };
	const taken = applySnapshot({
		...{ topic: 'crowd', stream: 'one', seq: 1, at: 1_000_000 },
		state: { ...state, reduction, 'reduction:r-2': group }
	});
	expect(taken).toMatchObject({ kind: 'applied', dropped: 2 });
	if (taken.kind === 'applied') expect(Object.fromEntries(taken.copy.values)).toEqual(state);
});

test('the plan of the season enters as a whole, and a broken one not at all', () => {
	const plan = {
		...{ at: 1, mark: 'none', timeZone: 'Asia/Riyadh', prayerMethod: 'umm-al-qura' },
		...{ spikes: [], freezes: [], orders: [], roster: [], sightings: [] }
	};
	const snapshot = (state: object) => applySnapshot({ topic: 'season', stream: 's', seq: 1, at: 1, state });
	expect(snapshot({ plan })).toMatchObject({ kind: 'applied', dropped: 0 });
	expect(snapshot({ plan: { ...plan, spikes: [{}] } })).toMatchObject({ kind: 'applied', dropped: 1 });
});

test('fields of a thing are laid over what is known of it, and never over a value that was missed', () => {
	const gate = sampleGate();
	const key = `gate:${gate.id}`;
	const taken = applySnapshot({ topic: 'crowd', stream: 's', seq: 1, at: 1, state: { [key]: gate } });
	if (taken.kind !== 'applied') throw new Error(taken.kind);
	let copy = taken.copy;
	const patch = (seq: number, said: { changes?: object; parts?: object }) => {
		const applied = applyPatch(new Map([['crowd', copy]]), {
			...{ topic: 'crowd', stream: 's', seq, at: seq, changes: {} },
			...said
		});
		if (applied.kind !== 'applied') throw new Error(applied.kind);
		copy = applied.copy;
		return applied.dropped;
	};
	expect(patch(2, { parts: { [key]: { lanes: 9 } } })).toBe(0);
	expect(copy.values.get(key)).toEqual({ ...gate, lanes: 9 });
	// Of a thing that is not known, and a field of another shape.
	expect(patch(3, { parts: { 'gate:none': { lanes: 1 }, [key]: { lanes: 'many' } } })).toBe(2);
	expect(copy.values.get(key)).toEqual({ ...gate, lanes: 9 });
	// What was missed may have held more than this field.
	expect(patch(4, { parts: { [key]: { lanes: 3 } } })).toBe(1);
	expect(copy.values.get(key)).toEqual({ ...gate, lanes: 9 });
	expect(patch(5, { changes: { [key]: { ...gate, lanes: 3 } } })).toBe(0);
	expect(patch(6, { parts: { [key]: { lanes: 4 } } })).toBe(0);
	expect(copy.values.get(key)).toEqual({ ...gate, lanes: 4 });
	expect(patch(7, { changes: { [key]: null } })).toBe(0);
	expect(patch(8, { parts: { [key]: { lanes: 5 } } })).toBe(1);
	expect(copy.values.has(key)).toBe(false);
});
