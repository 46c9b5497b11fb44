import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../config/config.ts';
import { keyOfText, keyText } from '../../../platform/database/row-key.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createDeliveryQueues } from '../delivery-queues.ts';
import { divideClaimedDeliveries } from '../dispatch.ts';
import type { SenderOptions } from '../sending/send.ts';
import { isAnyPending } from '../sql/claims.ts';
import { claimDueDeliveries } from './claim-due-deliveries.ts';
import { createDeliverySender, type LeasedMessage } from './delivery-sender.ts';

/** Wait after a claim, in milliseconds: deliveries that become due meanwhile share the next claim. */
const CLAIM_PAUSE_MS = 20;
/** Deliveries per claim. Their events are loaded together. */
const CLAIM_MAX = 512;
const IN_FLIGHT_MAX = 512;
/** Additional messages in flight to slow and new endpoints. */
const SLOW_IN_FLIGHT_MAX = 256;
/**
 * Maximum number of claimed deliveries without a recorded result. Four rounds of timeouts, 40 s,
 * fit within a lease.
 */
const UNRECORDED_MAX = 4 * IN_FLIGHT_MAX;
/** One merchant's part of `UNRECORDED_MAX`, across its subscriptions. */
const MERCHANT_UNRECORDED_MAX = UNRECORDED_MAX / 4;

export type DeliverServices = Pick<
  Services,
  'clock' | 'logger' | 'loop_statuses' | 'due_watch' | 'db' | 'catalog' | 'sealer' | 'within'
> &
  Partial<Pick<Services, 'system_clock'>> & {
    readonly config: Pick<Config, 'webhook_retry_scale' | 'work_poll_ms' | 'sandbox_webhooks'>;
    readonly wake: Pick<Services['wake'], 'deliver'>;
  };

/** Work loop that also reports its claimed deliveries without a recorded result. */
interface DeliverLoop extends AsyncDisposable {
  held(): number;
}

/**
 * Starts the loop that delivers events to webhook subscriptions at least once. If the process dies,
 * a delivery is due again with the same event id when its lease ends.
 */
export function startDeliverLoop(
  services: DeliverServices,
  options: SenderOptions = {},
): DeliverLoop {
  const { clock, config, wake } = services;
  const deliverySender = createDeliverySender(services, options);
  // Queues and merchants at their limit are claimed again once half of the limit is free.
  let fullQueues: ReadonlySet<string> = new Set();
  let isFull = false;

  const queues = createDeliveryQueues<LeasedMessage>({
    clock,
    async run(message) {
      const { answered, suspended } = await deliverySender.send(message);
      if (suspended) await deliverySender.release(queues.removeWaiting(queueOf(message)));
      return answered;
    },
    onEnd(queue) {
      const wasQueueFull = fullQueues.has(queue) || fullQueues.has(keyOfText(queue).merchant_id);
      const mayClaim = isFull
        ? queues.held() <= UNRECORDED_MAX / 2
        : wasQueueFull && queues.isHalfFree(queue);
      if (mayClaim) wake.deliver.raise();
    },
    queueOf,
    groupOf: ({ subscription }) => subscription.merchant_id as string,
    limitOf: ({ subscription }) => Number(subscription.concurrency_limit),
    running_max: IN_FLIGHT_MAX,
    slow_max: SLOW_IN_FLIGHT_MAX,
    group_max: MERCHANT_UNRECORDED_MAX,
  });

  async function deliverStep(): Promise<boolean> {
    const limit = Math.min(CLAIM_MAX, UNRECORDED_MAX - queues.held());
    isFull = limit <= 0;
    if (isFull || !(await isAnyPending(services.db))) return false;
    const deliveryClaim = await claimDueDeliveries(services, queues.capacity(), limit);
    fullQueues = deliveryClaim.full;
    const { send, unsent } = await divideClaimedDeliveries(services, deliveryClaim.deliveries);
    const { claimed_at, lease_until } = deliveryClaim;
    for (const message of send) queues.add({ ...message, claimed_at, lease_until });
    await Promise.all(unsent.map(deliverySender.record));
    const isMore = deliveryClaim.deliveries.length === limit;
    if (!isMore && deliveryClaim.deliveries.length > 0) await sleep(CLAIM_PAUSE_MS);
    return isMore;
  }

  const loop = startLoop(services, {
    name: 'deliver',
    wake: wake.deliver,
    poll_ms: config.work_poll_ms,
    due: [{ table: 'webhook_deliveries' }],
    step: deliverStep,
  });
  return {
    held: queues.held,
    async [Symbol.asyncDispose]() {
      // Runs while the loop ends, so that a finished delivery starts no other.
      const drain = queues.drain();
      await loop[Symbol.asyncDispose]();
      await deliverySender.release([...(await drain), ...(await queues.drain())]);
      await deliverySender[Symbol.asyncDispose]();
    },
  };
}

const queueOf = ({ subscription }: LeasedMessage): string => keyText(subscription);
