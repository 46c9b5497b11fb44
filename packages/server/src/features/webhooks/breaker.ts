import type { TriggerOf } from '@florin/contract/machines/define-machine.ts';
import type { webhookSubscriptionMachine } from '@florin/contract/machines/webhook-subscription.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import { type EndpointAnswer, isAccepted } from './delivery.ts';

/** Number of consecutive failures that suspend an endpoint. */
export const FAILS_IN_ROW_MAX = 5;
/**
 * First suspension in seconds. Each further suspension without a success in between is twice as
 * long.
 */
export const SUSPENDED_S = 30;
export const SUSPENDED_S_MAX = 1_800;
/** Seconds for one probe of the endpoint: its timeout, and the recording of its result. */
export const PROBE_S = 20;
/**
 * Hours of failures after which a subscription is paused. A minimum number of attempts rules out
 * chance.
 */
export const FAILING_HOURS_MAX = 120;
export const UNACCEPTED_MIN = 10;

/**
 * Health of an endpoint after an attempt. `accepting`: accepted the delivery; `alive`: refused this
 * delivery; `failing`: failed.
 */
export type EndpointHealth = 'accepting' | 'alive' | 'failing';

/**
 * Classifies a response. No response, 429 and 5xx are failures of the endpoint; other statuses
 * concern this delivery only.
 */
export function healthOf(answer: EndpointAnswer): EndpointHealth {
  if (isAccepted(answer)) return 'accepting';
  const isFailing = answer.error !== undefined || answer.status === 429 || answer.status >= 500;
  return isFailing ? 'failing' : 'alive';
}

/** Result of an attempt for the health of its endpoint. */
export interface Finding {
  readonly health: EndpointHealth;
  readonly at: Micros;
  /** Set for probes: end of the suspension, which was extended for the probe. */
  readonly probe_until?: Micros | undefined;
}

export interface EndpointChange {
  readonly trigger?: TriggerOf<typeof webhookSubscriptionMachine>;
  readonly set: Row;
}

/** Columns of a subscription with a healthy endpoint, also set by a resumption. */
export const HEALTHY: Row = {
  failing_since: null,
  untaken_count: '0',
  fails_in_row: '0',
  suspended_until: null,
};

/**
 * Columns of a subscription whose suspension a manual delivery ends. One more failure suspends it
 * again.
 */
export const REOPENED: Row = {
  fails_in_row: String(FAILS_IN_ROW_MAX - 1),
  suspended_until: null,
};

interface State {
  readonly failing_since: Micros | null;
  /** Attempts since `failing_since` that were not accepted, counted up to `UNACCEPTED_MIN`. */
  readonly untaken_count: number;
  readonly fails_in_row: number;
  readonly suspended_until: Micros | null;
}

/**
 * Columns of a locked subscription that finished attempts change; undefined if none. Failures during a suspension do
 * not count, so concurrent failures cause one suspension. A probe's failure always counts. `scale` multiplies
 * suspensions.
 */
export function decideEndpoint(
  row: Row,
  findings: readonly Finding[],
  now: Micros,
  scale = 1,
): EndpointChange | undefined {
  const ordered = findings.toSorted((a, b) => a.at - b.at);
  const storedState = stateOf(row);
  const state = ordered.reduce(
    (before, finding) => stateAfterFinding(before, finding, now, scale),
    storedState,
  );
  if (row.status === 'active' && isToBePaused(state, now)) {
    return { trigger: 'pause', set: { ...columnsOf(state), paused_reason: 'failing' } };
  }
  const isUnchanged = (Object.keys(storedState) as (keyof State)[]).every(
    (key) => storedState[key] === state[key],
  );
  return isUnchanged ? undefined : { set: columnsOf(state) };
}

function stateAfterFinding(
  state: State,
  { health, at, probe_until }: Finding,
  now: Micros,
  scale: number,
): State {
  if (health === 'accepting') return healthy;
  const untaken_count = Math.min(state.untaken_count + 1, UNACCEPTED_MIN);
  const failureState = { failing_since: state.failing_since ?? at, untaken_count };
  if (health === 'alive') return { ...healthy, ...failureState };
  const { suspended_until } = state;
  const isCounted =
    suspended_until === null || suspended_until <= now || probe_until === suspended_until;
  if (!isCounted) return { ...state, ...failureState };
  const fails_in_row = state.fails_in_row + 1;
  if (fails_in_row < FAILS_IN_ROW_MAX) return { ...state, ...failureState, fails_in_row };
  return {
    ...failureState,
    fails_in_row,
    suspended_until: now + suspensionTime(fails_in_row, scale),
  };
}

const healthy: State = {
  failing_since: null,
  untaken_count: 0,
  fails_in_row: 0,
  suspended_until: null,
};

function suspensionTime(fails_in_row: number, scale: number): Micros {
  const suspensionSeconds = SUSPENDED_S * 2 ** (fails_in_row - FAILS_IN_ROW_MAX);
  return Math.round(seconds(Math.min(suspensionSeconds, SUSPENDED_S_MAX) * scale));
}

const isToBePaused = ({ failing_since, untaken_count }: State, now: Micros): boolean =>
  failing_since !== null &&
  untaken_count >= UNACCEPTED_MIN &&
  now - failing_since >= seconds(FAILING_HOURS_MAX * 3_600);

function stateOf({ failing_since, untaken_count, fails_in_row, suspended_until }: Row): State {
  return {
    failing_since: failing_since ? microsOf(failing_since) : null,
    untaken_count: Number(untaken_count),
    fails_in_row: Number(fails_in_row),
    suspended_until: suspended_until ? microsOf(suspended_until) : null,
  };
}

const columnsOf = ({
  failing_since,
  untaken_count,
  fails_in_row,
  suspended_until,
}: State): Row => ({
  failing_since: failing_since === null ? null : instantText(failing_since),
  untaken_count: String(untaken_count),
  fails_in_row: String(fails_in_row),
  suspended_until: suspended_until === null ? null : instantText(suspended_until),
});
