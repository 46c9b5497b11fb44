import { type Problem, ProblemError, problem } from '@florin/contract/errors.ts';
import type { WriteInput } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Decision } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import { HEALTHY } from './breaker.ts';
import { type AddressRules, urlRefusal } from './sending/guard.ts';

type Attributes = WriteInput['attributes'];

const pointerTo = (attribute: string) => ({ pointer: `/data/attributes/${attribute}` });

/** Mode of a subscription and the rules for its address. */
export interface SubscriptionContext {
  readonly mode: Scope['mode'];
  readonly rules: AddressRules;
}

/** Throws a `ProblemError` with all validation errors of a create or update. */
export function checkSubscription(
  { mode, rules }: SubscriptionContext,
  { mode: requestedMode, url }: Attributes | Row,
): void {
  const problems = [...modeProblems(mode, requestedMode), ...urlProblems({ mode, rules }, url)];
  if (problems.length > 0) throw new ProblemError(problems);
}

function modeProblems(mode: Scope['mode'], requestedMode: unknown): Problem[] {
  if (requestedMode === undefined || requestedMode === null || requestedMode === mode) return [];
  const detail = `This key has ${mode} mode, so its webhook subscriptions receive ${mode} events. Leave mode out.`;
  return [{ code: 'mode_mismatch', detail, source: pointerTo('mode') }];
}

const FRAGMENT = 'The URL of a webhook must not have a fragment.';

const AS_LIVE = ' On this server the sandbox has the rules of live mode.';

function urlProblems({ mode, rules }: SubscriptionContext, url: unknown): Problem[] {
  if (typeof url !== 'string') return [];
  const hint = mode === 'sandbox' && rules === 'live' ? AS_LIVE : '';
  const refusal = urlRefusal(url, rules);
  const detail = refusal ? `${refusal}${hint}` : url.includes('#') ? FRAGMENT : undefined;
  return detail ? [{ code: 'url_not_allowed', detail, source: pointerTo('url') }] : [];
}

const triggerByAction: Readonly<Record<string, string>> = {
  'active>paused': 'pause',
  'paused>active': 'resume',
};

/**
 * Decides the changes of an update. Archiving ignores all other members of the request; an archived
 * subscription cannot change. `columns` are the validated, changed columns.
 */
export function decideSubscription(
  row: Row,
  context: SubscriptionContext,
  { attributes }: Pick<WriteInput, 'attributes'>,
  columns: Row,
  now: Micros,
): Decision {
  if (attributes.status === 'archived') return archive(row, now);
  if (row.status === 'archived') {
    throw problem('immutable', 'The webhook subscription is archived. Create a new one.', {
      pointer: '/data',
    });
  }
  checkSubscription(context, columns);
  const { status, mode: _ofTheKey, ...set } = columns;
  const trigger = triggerByAction[`${row.status}>${status}`];
  const isAddressChanged = set.url !== undefined && set.url !== row.url;
  return {
    set: { ...set, ...(isAddressChanged && HEALTHY), ...(trigger && entering[trigger]) },
    events: [],
    ...(trigger && { trigger }),
  };
}

/** Columns that a change of status sets. A resumption resets the endpoint's health. */
const entering: Readonly<Record<string, Row>> = {
  pause: { paused_reason: 'merchant' },
  resume: { paused_reason: null, backlog_stopped_at: null, ...HEALTHY },
};

/** Throws 405 if the subscription's status does not allow the action. */
export function requireState(
  { status }: Row,
  action: 'rotate_secret' | 'revoke_previous_secret' | 'test',
): void {
  const isAllowed = action === 'test' ? status === 'active' : status !== 'archived';
  if (isAllowed) return;
  const state = status as string;
  const actions = state === 'archived' ? [] : ['update', 'rotate_secret', 'revoke_previous_secret'];
  throw wrongState({ noun: 'webhook subscription', state, actions }, action);
}

/** Columns with duplicate codes in `events` removed; the first occurrence stays. */
export function withEventsOnce(columns: Row): Row {
  if (columns.events == null) return columns;
  const events = new Set(JSON.parse(columns.events) as string[]);
  return { ...columns, events: JSON.stringify([...events]) };
}

/** Codes whose events the subscription will newly send; empty unless address or events change. */
export function eventsToReach(row: Row, set: Row): readonly string[] {
  if (set.url === undefined && set.events === undefined) return [];
  return JSON.parse(set.events ?? row.events ?? '[]') as string[];
}

function archive(row: Row, now: Micros): Decision {
  if (row.status === 'archived') {
    throw problem(
      'already_archived',
      'The webhook subscription is already archived.',
      pointerTo('status'),
    );
  }
  // Ends the suspension too: pending deliveries of a suspended subscription could not be stopped.
  const set = { archived_at: instantText(now), paused_reason: null, suspended_until: null };
  return { trigger: 'archive', set, events: [] };
}
