import type { TriggerOf } from '@florin/contract/machines/define-machine.ts';
import type { webhookDeliveryMachine } from '@florin/contract/machines/webhook-delivery.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';

/** Seconds between attempts. The delivery is given up after the last failure. */
export const RETRY_WAITS_S = [10, 300, 1_800, 3_600, 7_200] as const;

/** Longest `retry-after` that is respected, in seconds. */
export const RETRY_AFTER_MAX_S = 86_400;

/**
 * Seconds until a delivery without a readable secret is claimed again. The receiver is not at
 * fault.
 */
const UNSIGNED_WAIT_S = 300;

/** Statuses with which a receiver refuses a delivery for good. */
const STOPPING: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/** Response to an attempt, or the reason why there was none. */
export type EndpointAnswer = EndpointResponse | { readonly error: string };

export interface EndpointResponse {
  readonly status: number;
  readonly error?: undefined;
  /** Stored headers as JSON text, by lower-case name. */
  readonly headers?: string;
  /** Stored part of the body; absent if the body was empty. */
  readonly body?: string | undefined;
  /** Value of the `retry-after` header. */
  readonly retry_after?: string | undefined;
}

export interface DeliveryChange {
  /** Trigger of the new state; absent if the delivery stays pending. */
  readonly trigger?: TriggerOf<typeof webhookDeliveryMachine>;
  readonly set: Row;
}

export interface Attempt {
  readonly answer: EndpointAnswer;
  readonly started_at: Micros;
  readonly ended_at: Micros;
}

/** Body of a webhook message: the event as a JSON:API document with its `data` as stored. */
export function deliveryBody(event: Row): string {
  const { data, merchant_id, id, mode, resource_type, resource_id, slug, sequence, created_at } =
    event;
  const attributes = JSON.stringify({
    mode,
    resource_type,
    resource_id,
    slug,
    sequence: Number(sequence),
    created_at: instantText(microsOf(created_at as string)),
  });
  return (
    `{"data":{"id":"${id}","type":"events","attributes":${attributes.slice(0, -1)},"data":${data}},` +
    `"relationships":{"merchant":{"data":{"type":"merchants","id":"${merchant_id}"}}}}}`
  );
}

/** Whether the receiver has accepted the delivery. */
export const isAccepted = (answer: EndpointAnswer): boolean =>
  answer.error === undefined && answer.status >= 200 && answer.status <= 204;

/**
 * Effect of an attempt on its delivery. `scale` multiplies our waits, but not the receiver's
 * `retry-after`.
 */
export function decideDelivery(delivery: Row, attempt: Attempt, scale = 1): DeliveryChange {
  const { answer, started_at, ended_at } = attempt;
  const attemptColumns = {
    ...countAttempt(delivery, attempt),
    first_try_at: delivery.first_try_at ?? instantText(started_at),
    last_response_status: answer.error === undefined ? String(answer.status) : null,
    last_error: answer.error ?? null,
    due_at: null,
  };
  if (isAccepted(answer)) {
    return { trigger: 'deliver', set: { ...attemptColumns, delivered_at: instantText(ended_at) } };
  }
  if (answer.error === undefined && STOPPING.has(answer.status))
    return { trigger: 'stop', set: attemptColumns };
  const scheduleStep = Number(delivery.schedule_step);
  const set = { ...attemptColumns, schedule_step: String(scheduleStep + 1) };
  const waitSeconds = RETRY_WAITS_S[scheduleStep];
  if (waitSeconds === undefined) return { trigger: 'exhaust', set };
  const due_at = Math.max(timeAfter(ended_at, waitSeconds * scale), retryAfterOf(answer, ended_at));
  return { trigger: 'retry', set: { ...set, due_at: instantText(due_at) } };
}

/**
 * Columns that every attempt changes, even if the delivery is finished or claimed by another
 * worker.
 */
export function countAttempt(delivery: Row, { answer }: Attempt): Row {
  const failedCount = isAccepted(answer) ? 0 : 1;
  return {
    attempts_count: String(Number(delivery.attempts_count) + 1),
    fails_count: String(Number(delivery.fails_count) + failedCount),
  };
}

const DELAY_S = /^\d{1,9}$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Instant of the response's `retry-after` header (RFC 9110, 10.2.3: seconds or a date). */
function retryAfterOf(answer: EndpointAnswer, ended_at: Micros): Micros {
  const text = answer.error === undefined ? (answer.retry_after?.trim() ?? '') : '';
  const latest = ended_at + seconds(RETRY_AFTER_MAX_S);
  if (DELAY_S.test(text)) return Math.min(ended_at + seconds(Number(text)), latest);
  const date = HTTP_DATE.test(text) ? Date.parse(text) * 1_000 : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.min(date, latest);
}

/** Change of a claimed delivery whose subscription is not active; undefined if it is active. */
export function decideUnsent(subscriptionStatus: string, now: Micros): DeliveryChange | undefined {
  if (subscriptionStatus === 'active') return undefined;
  // Workers do not claim deliveries of paused subscriptions, so these can stay due.
  if (subscriptionStatus === 'paused') return deferredUntil(now);
  return stopDelivery(STOPPED_ARCHIVED);
}

/** Reason for stopping the backlog of an archived subscription. */
export const STOPPED_ARCHIVED = 'subscription_archived';

/** Stops a delivery for a reason other than the receiver's response. */
export const stopDelivery = (last_error: string): DeliveryChange => ({
  trigger: 'stop',
  set: { due_at: null, held_back: 'false', last_error },
});

/** Defers a delivery if this server cannot decrypt the subscription's secret. */
export const unsignedDelivery = (now: Micros): DeliveryChange => ({
  set: { ...deferredUntil(timeAfter(now, UNSIGNED_WAIT_S)).set, last_error: 'secret_unreadable' },
});

/**
 * Longest wait in seconds before a blocked delivery is checked again. Shorter if the previous
 * delivery is due earlier.
 */
const BLOCKED_SECONDS_MAX = 30;

/** Defers a delivery behind an earlier pending delivery of its record, which is due at `earlierDueAt`. */
export const blockedDelivery = (earlierDueAt: string | null, now: Micros): DeliveryChange => {
  const latest = timeAfter(now, BLOCKED_SECONDS_MAX);
  const until = earlierDueAt ? Math.min(Math.max(microsOf(earlierDueAt), now), latest) : latest;
  return { set: { ...deferredUntil(until).set, held_back: 'true' } };
};

/** Defers a delivery without counting an attempt. */
export const deferredUntil = (until: Micros): DeliveryChange => ({
  set: { due_at: instantText(until) },
});

const timeAfter = (at: Micros, wait_s: number): Micros => at + Math.round(seconds(wait_s));
