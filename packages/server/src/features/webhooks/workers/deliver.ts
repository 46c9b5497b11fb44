import type { Config } from '../../../config/config.ts';
import { keyOfText, keyText } from '../../../platform/database/transition.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { dispatchOf } from '../dispatch.ts';
import { createLanes } from '../lanes.ts';
import type { SenderOptions } from '../send.ts';
import { isAnyPending } from '../sql/claims.ts';
import { claimParcels } from './claim-parcels.ts';
import { type Claimed, createCourier } from './courier.ts';

/** Deliveries that one statement claims: their events are loaded at once. */
const CLAIM_MAX = 512;
const IN_FLIGHT_MAX = 512;
/** What endpoints that are slow, or not known yet, may have in flight together, beside that. */
const SLOW_IN_FLIGHT_MAX = 256;
/** Claimed and not yet recorded: four rounds of time-outs, 40 s, see them sent within their lease. */
const HELD_MAX = 4 * IN_FLIGHT_MAX;
/** Of these one merchant has no more, however many subscriptions it has. */
const MERCHANT_HELD_MAX = HELD_MAX / 4;

export type DeliverServices = Pick<
  Services,
  'clock' | 'logger' | 'pulses' | 'db' | 'catalog' | 'sealer' | 'within'
> &
  Partial<Pick<Services, 'machine'>> & {
    readonly config: Pick<Config, 'webhook_retry_scale' | 'work_poll_ms' | 'sandbox_webhooks'>;
    readonly wake: Pick<Services['wake'], 'deliver'>;
  };

/** The loop, and how many deliveries it holds: claimed, and not yet recorded. */
interface DeliverLoop extends AsyncDisposable {
  held(): number;
}

/**
 * Delivers events to webhook subscriptions, at least once each: a delivery whose process dies
 * becomes due again when its lease runs out, with the same event id.
 */
export function startDeliverLoop(
  services: DeliverServices,
  options: SenderOptions = {},
): DeliverLoop {
  const { logger, clock, config, wake } = services;
  const courier = createCourier(services, options);
  // Lanes and merchants that had no room for all that was due are claimed for as soon as half of it is free.
  let full: ReadonlySet<string> = new Set();
  let crowded = false;

  const lanes = createLanes<Claimed>({
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
      // At once: while the last step of the loop ends, a delivery that was answered would begin the next one.
      const drained = lanes.drain();
      await loop[Symbol.asyncDispose]();
      await courier.giveBack([...(await drained), ...(await lanes.drain())]);
      await courier[Symbol.asyncDispose]();
    },
  };
}

const laneOf = ({ subscription }: Claimed): string => keyText(subscription);
