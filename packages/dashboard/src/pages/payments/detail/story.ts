import type { PaymentActor } from '@florin/contract/payment-actors.ts';
import type { RecordOf } from '../../../api/types.ts';
import type { StateTone } from '../../../parts/value/state-tone.ts';
import type { History } from './history.ts';

type Payment = RecordOf<'payment_demands'>;
type FollowUp = RecordOf<'refund_demands'> | RecordOf<'capture_demands'>;

/** One sentence of a payment's story. The text `story_<kind>` has placeholders for amount, card and reason. */
export interface StoryItem {
  readonly key: string;
  readonly at: string;
  readonly kind: string;
  readonly tone: StateTone;
  readonly cents?: number | undefined;
  /** Code of the reason. */
  readonly reason?: string | null | undefined;
  /** Free text about the reason. */
  readonly note?: string | null | undefined;
  readonly actor?: PaymentActor | undefined;
  /** Record with more about the sentence. */
  readonly record?: FollowUp | RecordOf<'disputes'>;
}

/** Returns what happened to a payment, oldest first, in the order that people tell it. */
export function storyOf(
  payment: Payment,
  history: History,
  actors: readonly PaymentActor[],
): readonly StoryItem[] {
  return [
    created(payment, actors),
    ...edits(payment, actors),
    ...charges(payment, history),
    ...history.captures.map((it) => followUp('capture', it, actors)),
    ...history.refunds.map((it) => followUp('refund', it, actors)),
    ...receipts(payment, actors),
    ...endings(payment, actors),
    ...history.disputes.flatMap((it) => disputeItems(it, actors)),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Characters of an instant up to its hour. */
const HOUR_CHARS = '2027-01-31T00'.length;

/** Actor of the first request about a record whose action ends like this. */
const actorOf = (actors: readonly PaymentActor[], id: string, ending: string) =>
  actors.find(({ record_id, action }) => record_id === id && action.endsWith(ending));

const created = ({ id, attributes }: Payment, actors: readonly PaymentActor[]): StoryItem => ({
  key: `created ${id}`,
  at: attributes.created_at ?? '',
  kind: 'created',
  tone: 'neutral',
  cents: attributes.amount_cents,
  actor: actorOf(actors, id, '/payment_demands'),
});

const edits = ({ id }: Payment, actors: readonly PaymentActor[]): StoryItem[] =>
  actors
    .filter(({ record_id, action }) => record_id === id && action.endsWith('/payment_demands/:id'))
    .map((actor) => ({
      key: `edited ${actor.at}`,
      at: actor.at,
      kind: 'edited',
      tone: 'neutral',
      actor,
    }));

/** Receipts that members sent again. A payment has one per hour: later requests of the hour sent none. */
function receipts({ id }: Payment, actors: readonly PaymentActor[]): StoryItem[] {
  const requests = actors.filter(
    ({ record_id, action }) => record_id === id && action.endsWith('/payments/:id/receipt'),
  );
  const byHour = Map.groupBy(requests, ({ at }) => at.slice(0, HOUR_CHARS));
  return [...byHour.values()].flatMap(([actor]) =>
    actor
      ? [{ key: `receipt ${actor.at}`, at: actor.at, kind: 'receipt', tone: 'neutral', actor }]
      : [],
  );
}

/** Authorisations. Without the permission to read attempts, the payment itself says that it was paid. */
function charges(payment: Payment, { attempts, captures }: History): StoryItem[] {
  const { id, attributes } = payment;
  const authorisations = attempts.filter((it) => it.attributes.operation === 'authorise');
  const { succeeded_at, amount_captured_cents } = attributes;
  if (authorisations.length > 0)
    return authorisations.map((it) => charge(payment, it, captures.length > 0));
  if (!succeeded_at) return [];
  const cents = amount_captured_cents ?? attributes.amount_cents;
  return [{ key: `paid ${id}`, at: succeeded_at, kind: 'paid', tone: 'good', cents }];
}

/** `isCapturing`: captures are messages of their own. Before the first succeeds, the payment is only held. */
function charge(
  payment: Payment,
  { id, attributes }: History['attempts'][number],
  isCapturing: boolean,
): StoryItem {
  const { status, amount_cents, created_at, failure_reason } = attributes;
  const item = { key: id, at: created_at ?? '', cents: amount_cents };
  if (status === 'declined')
    return { ...item, kind: 'declined', tone: 'bad', reason: failure_reason };
  if (status === 'sending' || status === 'unknown')
    return { ...item, kind: 'in_progress', tone: 'busy' };
  if (status === 'not_sent') return { ...item, kind: 'not_sent', tone: 'neutral' };
  const wasHeld = (payment.attributes.amount_authorised_cents ?? 0) > 0;
  if (status !== 'approved' && !wasHeld) return { ...item, kind: 'undone', tone: 'neutral' };
  const isCaptured = !isCapturing || (payment.attributes.amount_captured_cents ?? 0) > 0;
  return { ...item, kind: isCaptured ? approvalKind(payment) : 'authorised', tone: 'good' };
}

function approvalKind({ attributes: { capture_method, initiator } }: Payment): string {
  if (capture_method === 'manual') return 'authorised';
  return initiator === 'merchant' ? 'charged' : 'paid';
}

const followUpTones: Readonly<Record<string, StateTone>> = { succeeded: 'good', failed: 'bad' };

function followUp(
  name: 'refund' | 'capture',
  record: FollowUp,
  actors: readonly PaymentActor[],
): StoryItem {
  const { status, amount_cents, created_at, failure_reason } = record.attributes;
  const isRefund = 'reason' in record.attributes;
  const isFailed = status === 'failed';
  const isDone = status === 'succeeded';
  return {
    key: record.id,
    at: created_at ?? '',
    kind: `${name}_${isDone || isFailed ? status : 'in_progress'}`,
    tone: followUpTones[status] ?? 'busy',
    cents: amount_cents ?? 0,
    reason: isFailed ? failure_reason : isRefund ? record.attributes.reason : undefined,
    note: isRefund ? record.attributes.reason_note : undefined,
    actor: actorOf(actors, record.id, `/${record.type}`),
    record,
  };
}

/** How a payment ended without money: cancelled, voided, expired or paid by credit. */
function endings({ id, attributes }: Payment, actors: readonly PaymentActor[]): StoryItem[] {
  const { canceled_at, cancellation_reason, amount_authorised_cents } = attributes;
  const voided = actorOf(actors, id, '/void');
  const actor = voided ?? actorOf(actors, id, '/cancel');
  const at = canceled_at ?? voided?.at;
  if (!at) return [];
  const isHeld = (amount_authorised_cents ?? 0) > 0;
  const isRequested = cancellation_reason === null || cancellation_reason === 'requested';
  const kind = isRequested ? (isHeld ? 'voided' : 'canceled') : cancellation_reason;
  return [{ key: `ended ${id}`, at, kind, tone: 'neutral', ...(isRequested && { actor }) }];
}

function disputeItems(
  record: RecordOf<'disputes'>,
  actors: readonly PaymentActor[],
): readonly StoryItem[] {
  const { id, attributes } = record;
  const { amount_cents, status, reason, created_at, submitted_at, closed_at } = attributes;
  const accepted = actorOf(actors, id, '/accept');
  const isClosed = status === 'won' || status === 'lost';
  const itemAt = (at: string | null | undefined, kind: string, tone: StateTone, more = {}) =>
    at ? [{ key: `${kind} ${id}`, at, kind, tone, cents: amount_cents, record, ...more }] : [];
  return [
    ...itemAt(created_at, 'dispute_opened', 'bad', { reason }),
    ...itemAt(submitted_at, 'dispute_answered', 'busy', { actor: actorOf(actors, id, '/submit') }),
    ...itemAt(accepted?.at, 'dispute_accepted', 'neutral', { actor: accepted }),
    ...itemAt(isClosed ? closed_at : null, `dispute_${status}`, status === 'won' ? 'good' : 'bad'),
  ];
}
