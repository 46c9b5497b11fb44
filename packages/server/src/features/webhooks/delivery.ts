import type { TriggerOf } from '@florin/contract/machines/define-machine.ts';
import type { webhookDeliveryMachine } from '@florin/contract/machines/webhook-delivery.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

/** Waits between attempts, in seconds; after the last one has failed the delivery is given up. */
export const RETRY_WAITS_S = [10, 300, 1_800, 3_600, 7_200] as const;

/** A receiver that asks for a longer wait than that is tried again all the same. */
export const RETRY_AFTER_MAX_S = 86_400;

/** A delivery that cannot be signed is looked at again so much later; it is not the receiver's fault. */
const UNSIGNED_WAIT_S = 300;

/** Answers that mean the receiver will never take it. */
const STOPPING: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/** What came of one attempt: what was answered, or why nothing was. */
export type Answer = Answered | { readonly error: string };

export interface Answered {
  readonly status: number;
  readonly error?: undefined;
  /** JSON text: what is kept of the headers, by names in lower case. */
  readonly headers?: string;
  /** What is kept of the body; absent where it was empty. */
  readonly body?: string | undefined;
  /** The header of that name. */
  readonly retry_after?: string | undefined;
}

export interface DeliveryChange {
  /** Absent where the delivery stays pending without having been tried. */
  readonly trigger?: TriggerOf<typeof webhookDeliveryMachine>;
  readonly set: Row;
}

export interface Attempt {
  readonly answer: Answer;
  readonly started_at: Micros;
  readonly ended_at: Micros;
}

/** Body of a delivery: the event as a JSON:API document, its `data` exactly as it was stored. */
export function deliveryBody(event: Row): string {
  const { data, merchant_id, id, mode, resource_type, resource_id, slug, sequence, created_at } =
    event;
  const plain = JSON.stringify({
    mode,
    resource_type,
    resource_id,
    slug,
    sequence: Number(sequence),
    created_at: instantText(microsOf(created_at as string)),
  });
  return (
    `{"data":{"id":"${id}","type":"events","attributes":${plain.slice(0, -1)},"data":${data}},` +
    `"relationships":{"merchant":{"data":{"type":"merchants","id":"${merchant_id}"}}}}}`
  );
}

/** Whether the receiver has taken the delivery. */
export const isTaken = (answer: Answer): boolean =>
  answer.error === undefined && answer.status >= 200 && answer.status <= 204;

/** What an attempt makes of its delivery. `scale` multiplies the waits, but not what a receiver asks for. */
export function decideDelivery(delivery: Row, attempt: Attempt, scale = 1): DeliveryChange {
  const { answer, started_at, ended_at } = attempt;
  const tried = {
    ...counted(delivery, attempt),
    first_try_at: delivery.first_try_at ?? instantText(started_at),
    last_response_status: answer.error === undefined ? String(answer.status) : null,
    last_error: answer.error ?? null,
    due_at: null,
  };
  if (isTaken(answer)) {
    return { trigger: 'deliver', set: { ...tried, delivered_at: instantText(ended_at) } };
  }
  if (answer.error === undefined && STOPPING.has(answer.status))
    return { trigger: 'stop', set: tried };
  const step = Number(delivery.schedule_step);
  const set = { ...tried, schedule_step: String(step + 1) };
  const wait = RETRY_WAITS_S[step];
  if (wait === undefined) return { trigger: 'exhaust', set };
  const due_at = Math.max(after(ended_at, wait * scale), askedFor(answer, ended_at));
  return { trigger: 'retry', set: { ...set, due_at: instantText(due_at) } };
}

/** What every attempt leaves on its delivery, also where that is over or another worker's by now. */
export function counted(delivery: Row, { answer }: Attempt): Row {
  const failed = isTaken(answer) ? 0 : 1;
  return {
    attempts_count: String(Number(delivery.attempts_count) + 1),
    fails_count: String(Number(delivery.fails_count) + failed),
  };
}

const DELAY_S = /^\d{1,9}$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Not before then, says the answer (RFC 9110, 10.2.3: seconds or a date); what cannot be read says nothing. */
function askedFor(answer: Answer, ended_at: Micros): Micros {
  const text = answer.error === undefined ? (answer.retry_after?.trim() ?? '') : '';
  const latest = ended_at + seconds(RETRY_AFTER_MAX_S);
  if (DELAY_S.test(text)) return Math.min(ended_at + seconds(Number(text)), latest);
  const date = HTTP_DATE.test(text) ? Date.parse(text) * 1_000 : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.min(date, latest);
}

/** What becomes of a claimed delivery whose subscription takes none now; undefined where it does. */
export function decideUnsent(subscriptionStatus: string, now: Micros): DeliveryChange | undefined {
  if (subscriptionStatus === 'active') return undefined;
  // Of a paused subscription nothing is claimed, so that it may be due until it is resumed.
  if (subscriptionStatus === 'paused') return postponed(now);
  return stopping(STOPPED_ARCHIVED);
}

/** Why what an archived subscription had yet to be sent is over. */
export const STOPPED_ARCHIVED = 'subscription_archived';

/** What becomes of a delivery that is not to be sent any more, for a reason that its receiver has not given. */
export const stopping = (last_error: string): DeliveryChange => ({
  trigger: 'stop',
  set: { due_at: null, held_back: 'false', last_error },
});

/** What becomes of a delivery whose subscription has a secret that this server cannot open. */
export const unsignedDelivery = (now: Micros): DeliveryChange => ({
  set: { ...postponed(after(now, UNSIGNED_WAIT_S)).set, last_error: 'secret_unreadable' },
});

/** A delivery that is held back is looked at again when the one before it is due, or this much later. */
const HELD_BACK_S_MAX = 30;

/** What becomes of a delivery while one before it, which is due at `first`, is pending. */
export const heldBack = (first: string | null, now: Micros): DeliveryChange => {
  const latest = after(now, HELD_BACK_S_MAX);
  const until = first ? Math.min(Math.max(microsOf(first), now), latest) : latest;
  return { set: { ...postponed(until).set, held_back: 'true' } };
};

/** A delivery that is looked at again later; no attempt is counted. */
export const postponed = (until: Micros): DeliveryChange => ({
  set: { due_at: instantText(until) },
});

const after = (at: Micros, wait_s: number): Micros => at + Math.round(seconds(wait_s));
