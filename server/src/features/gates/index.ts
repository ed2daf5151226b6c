import type { AffectedSlots, EvacuationState, Gate, GateCondition, Mark } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Broker } from '../../platform/broker/broker.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import { fillAtPace, type Booking } from '../booking/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Sensors } from '../sensors/index.ts';
import type { Site } from '../site/index.ts';
import type { Zones } from '../zones/index.ts';
import { gateConditions } from './conditions.ts';
import { affectedSlots, entryPace } from './entry-pace.ts';
import { placesOf } from './evacuation-plan.ts';
import { createGateBoard, type Adoption } from './gate-board.ts';
import { rulesOf } from './gate-decide.ts';
import { gateRoutes } from './gate-routes.ts';
import { createGateSigns } from './gate-signs.ts';
import { ensureGates } from './gates-store.ts';

const changedKind = 'gates.changed';

/** Gates, commanded and confirmed; what steps of zones propose; stop and evacuate. */
export interface Gates extends Feature {
	/** All gates in file order, as they stand now. */
	list(): Gate[];
	/** Stop and evacuate, as it stands now. */
	evacuation(): EvacuationState;
	/** What gates say to the alarms now: every key of every subject, on or off. */
	conditions(): GateCondition[];
	/** The fill of a place that has the pace of its entries; undefined while they are all open. */
	entryFill(place: string): number | undefined;
	/** Told on this instance after a command on a gate that did what a zone's written step asked for. */
	onProposalDone: Signal<ProposalDone>;
	/** One look by hand, for tests. */
	look(): void;
}

/** A person did at a gate what was proposed for a zone. */
export interface ProposalDone {
	gate: string;
	zone: string;
	by: string;
}

export function createGates(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	notices?: Notices | undefined;
	broker: Pick<Broker, 'publish' | 'state' | 'onState'>;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	site: Site;
	sensors: Pick<Sensors, 'isReady' | 'onReady'>;
	zones: Pick<Zones, 'list'>;
	booking: Pick<Booking, 'soonSlots'>;
	runMark: Mark;
}): Gates {
	const { db, clock, log, site, sensors, notices } = deps;
	const board = createGateBoard({ ...deps, zones: () => deps.zones.list(), mark: deps.runMark });
	const onError = (error: unknown) =>
		log.warn(
			{ error: error instanceof Error ? error.message : 'unknown' },
			'gates could not be read or told'
		);
	const signs = createGateSigns({ site: site.id, broker: deps.broker, onError });
	const topic = deps.hub.topic('crowd');
	const onProposalDone = createSignal<ProposalDone>(onError);
	const places = placesOf(site);
	const stopTimers: StopTimer[] = [];

	/** Every instance shows what the store has; the one that counts tells the signs. */
	const look = () => {
		const gates = board.gates();
		const evacuation = board.evacuation();
		for (const gate of gates) topic.set(`gate:${gate.id}`, gate);
		topic.set('proposals', board.proposals());
		topic.set('evacuation', evacuation);
		if (sensors.isReady()) signs.tell(gates, evacuation);
		else signs.forget();
	};
	const refresh = async () => {
		await board.refresh();
		look();
	};
	const onChanged = (change: Adoption) => {
		board.adopt(change);
		look();
		if (change.done) onProposalDone.emit(change.done);
	};
	const again = () => void refresh().catch(onError);
	notices?.on(changedKind, (of) => of === site.id && again());
	notices?.onConnect(again);
	deps.broker.onState(({ connected }) => connected && signs.forget());
	sensors.onReady(() => signs.forget());

	const slots = async (): Promise<AffectedSlots> => {
		const all = affectedSlots(await deps.booking.soonSlots(), places, board.gates());
		const listed = all.slice(0, limits.booking.slotsShownMax);
		const people = all.reduce((sum, slot) => sum + slot.people, 0);
		return { slots: listed, people, more: all.length > listed.length, at: clock.now() };
	};

	return {
		name: 'gates',
		list: board.gates,
		evacuation: board.evacuation,
		conditions: () => gateConditions(board.gates(), board.evacuation(), clock.now()),
		entryFill(id) {
			const place = places.find((other) => other.id === id);
			const pace = place && entryPace(place, board.gates());
			return pace === undefined || pace >= 1 ? undefined : fillAtPace(pace);
		},
		onProposalDone,
		look,
		staffRoutes: (app) =>
			gateRoutes(app, {
				...{ site, clock, board, record: deps.record, slots, onChanged },
				tell: async (tx) => notices?.send(tx, changedKind, site.id)
			}),
		async start() {
			await ensureGates(db, site.id, site.gates.map(rulesOf), clock.now());
			await refresh();
			stopTimers.push(
				clock.setInterval(look, limits.gates.lookEveryMs),
				clock.setInterval(again, limits.gates.pollMs)
			);
		},
		async stop() {
			for (const stop of stopTimers.splice(0)) stop();
		}
	};
}
