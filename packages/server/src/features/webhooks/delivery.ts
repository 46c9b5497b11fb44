import type { TriggerOf } from '@florin/contract/machines/define-machine.ts';
import type { webhookDeliveryMachine } from '@florin/contract/machines/webhook-delivery.ts';
import { instantText, type Micros, microsOf, seconds } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';

/** Waits between attempts, in seconds; after the last one has failed the delivery is given up. */
export const RETRY_WAITS_S = [10, 300, 1_800, 3_600, 7_200] as const;

/** A paused subscription's deliveries stay pending and are looked at again this often. */
export const PAUSED_WAIT_S = 300;

/** Answers that mean the receiver will never take it. */
const STOPPING: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/** What came of one attempt: the status that was answered, or why nothing was. */
export type Answer =
  | { readonly status: number; readonly error?: undefined }
  | { readonly error: string };

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
  const { data, merchant_id, id, mode, resource_type, resource_id, slug, created_at } = event;
  const plain = JSON.stringify({
    mode,
    resource_type,
    resource_id,
    slug,
    created_at: instantText(microsOf(created_at as string)),
  });
  return (
    `{"data":{"id":"${id}","type":"events","attributes":${plain.slice(0, -1)},"data":${data}},` +
    `"relationships":{"merchant":{"data":{"type":"merchants","id":"${merchant_id}"}}}}}`
  );
}

/** What an attempt makes of its delivery. `scale` multiplies the waits. */
export function decideDelivery(delivery: Row, attempt: Attempt, scale = 1): DeliveryChange {
  const { answer, started_at, ended_at } = attempt;
  const tried = {
    first_try_at: delivery.first_try_at ?? instantText(started_at),
    last_response_status: answer.error === undefined ? String(answer.status) : null,
    last_error: answer.error ?? null,
    due_at: null,
  };
  if (answer.error === undefined && answer.status >= 200 && answer.status <= 204) {
    return { trigger: 'deliver', set: { ...tried, delivered_at: instantText(ended_at) } };
  }
  const fails = Number(delivery.fails_count) + 1;
  const failed = { ...tried, fails_count: String(fails) };
  if (answer.error === undefined && STOPPING.has(answer.status))
    return { trigger: 'stop', set: failed };
  const wait = RETRY_WAITS_S[fails - 1];
  if (wait === undefined) return { trigger: 'exhaust', set: failed };
  return {
    trigger: 'retry',
    set: { ...failed, due_at: instantText(after(ended_at, wait * scale)) },
  };
}

/** What becomes of a delivery that is due while its subscription takes none; undefined where it does. */
export function decideUnsent(
  subscriptionStatus: string,
  now: Micros,
  scale = 1,
): DeliveryChange | undefined {
  if (subscriptionStatus === 'active') return undefined;
  if (subscriptionStatus === 'paused') {
    return postponed(after(now, PAUSED_WAIT_S * scale));
  }
  return { trigger: 'stop', set: { due_at: null, last_error: 'subscription_archived' } };
}

/** A delivery that is looked at again later; no attempt is counted. */
export const postponed = (until: Micros): DeliveryChange => ({
  set: { due_at: instantText(until) },
});

const after = (at: Micros, wait_s: number): Micros => at + Math.round(seconds(wait_s));
