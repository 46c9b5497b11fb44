import type { Config } from '../../../config/config.ts';
import { keyOfText, keyText } from '../../../platform/database/row-key.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createDeliveryQueues } from '../delivery-queues.ts';
import { dispatchOf } from '../dispatch.ts';
import type { SenderOptions } from '../sending/send.ts';
import { isAnyPending } from '../sql/claims.ts';
import { claimParcels } from './claim-parcels.ts';
import { type Claimed, createCourier } from './courier.ts';

/** Deliveries that one statement claims; their events are loaded together. */
const CLAIM_MAX = 512;
const IN_FLIGHT_MAX = 512;
/** Additional messages in flight to slow and unknown endpoints. */
const SLOW_IN_FLIGHT_MAX = 256;
/** Claimed and unrecorded deliveries: four rounds of timeouts, 40 s, fit within a lease. */
const HELD_MAX = 4 * IN_FLIGHT_MAX;
/** One merchant's part of these, across its subscriptions. */
const MERCHANT_HELD_MAX = HELD_MAX / 4;

export type DeliverServices = Pick<
  Services,
  'clock' | 'logger' | 'pulses' | 'db' | 'catalog' | 'sealer' | 'within'
> &
  Partial<Pick<Services, 'machine'>> & {
    readonly config: Pick<Config, 'webhook_retry_scale' | 'work_poll_ms' | 'sandbox_webhooks'>;
    readonly wake: Pick<Services['wake'], 'deliver'>;
  };

/** The loop, and its number of claimed, unrecorded deliveries. */
interface DeliverLoop extends AsyncDisposable {
  held(): number;
}

/**
 * Delivers events to webhook subscriptions at least once each. If the process dies, the delivery
 * becomes due again when its lease ends, with the same event id.
 */
export function startDeliverLoop(
  services: DeliverServices,
  options: SenderOptions = {},
): DeliverLoop {
  const { logger, clock, config, wake } = services;
  const courier = createCourier(services, options);
  // Queues and merchants at their limit are claimed for again when half of it is free.
  let full: ReadonlySet<string> = new Set();
  let crowded = false;

  const lanes = createDeliveryQueues<Claimed>({
    clock,
    async run(claimed) {
      const { answered, suspended } = await courier.carry(claimed);
      if (suspended) await courier.giveBack(lanes.takeBack(laneOf(claimed)));
      return answered;
    },
    ended(lane) {
      const wasFull = full.has(lane) || full.has(keyOfText(lane).merchant_id);
      const room = crowded ? lanes.held() <= HELD_MAX / 2 : wasFull && lanes.isLow(lane);
      if (room) wake.deliver.raise();
    },
    laneOf,
    groupOf: ({ subscription }) => subscription.merchant_id as string,
    limitOf: ({ subscription }) => Number(subscription.concurrency_limit),
    running_max: IN_FLIGHT_MAX,
    slow_max: SLOW_IN_FLIGHT_MAX,
    group_max: MERCHANT_HELD_MAX,
  });

  async function step(): Promise<boolean> {
    const limit = Math.min(CLAIM_MAX, HELD_MAX - lanes.held());
    crowded = limit <= 0;
    if (crowded || !(await isAnyPending(services.db))) return false;
    const claimed = await claimParcels(services, lanes.rooms(), limit);
    full = claimed.full;
    const { send, keep } = await dispatchOf(services, claimed.parcels);
    const { claimed_at, lease_until } = claimed;
    for (const letter of send) lanes.offer({ ...letter, claimed_at, lease_until });
    await Promise.all(keep.map(courier.record));
    return claimed.parcels.length === limit;
  }

  const loop = startLoop({
    name: 'deliver',
    logger,
    pulses: services.pulses,
    wake: wake.deliver,
    poll_ms: config.work_poll_ms,
    step,
  });
  return {
    held: lanes.held,
    async [Symbol.asyncDispose]() {
      // Concurrent with the loop's end, so that a finished delivery does not start another.
      const drained = lanes.drain();
      await loop[Symbol.asyncDispose]();
      await courier.giveBack([...(await drained), ...(await lanes.drain())]);
      await courier[Symbol.asyncDispose]();
    },
  };
}

const laneOf = ({ subscription }: Claimed): string => keyText(subscription);
