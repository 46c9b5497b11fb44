import type { Config } from '../config/config.ts';
import type { Services } from '../features/services.ts';
import { postponed } from '../features/webhooks/delivery.ts';
import { dispatchOf, type Letter } from '../features/webhooks/dispatch.ts';
import type { Rooms } from '../features/webhooks/lane.ts';
import { createLanes } from '../features/webhooks/lanes.ts';
import { loadParcels, type Parcel } from '../features/webhooks/load.ts';
import { createRecorder, type Recorder } from '../features/webhooks/record.ts';
import { createSender, SEND_TIMEOUT_MS, type SenderOptions } from '../features/webhooks/send.ts';
import { instantText, type Micros, seconds } from '../kernel/clock.ts';
import { keyOfText, keyText } from '../store/transition.ts';
import { claimDeliveries } from '../store/webhook-claims.ts';
import { startLoop } from './loop.ts';

/** Deliveries that one statement claims: their events are loaded at once. */
const CLAIM_MAX = 512;
const IN_FLIGHT_MAX = 512;
/** What endpoints that are slow, or not known yet, may have in flight together, beside that. */
const SLOW_IN_FLIGHT_MAX = 256;
/** Claimed and not yet recorded: four rounds of time-outs, 40 s, see them sent within their lease. */
const HELD_MAX = 4 * IN_FLIGHT_MAX;
const LEASE_S = 60;

export type DeliverServices = Pick<Services, 'clock' | 'logger' | 'db' | 'catalog' | 'sealer'> & {
  readonly config: Pick<Config, 'webhook_retry_scale' | 'work_poll_ms'>;
  readonly wake: Pick<Services['wake'], 'deliver'>;
};

interface Claimed extends Letter {
  readonly lease_until: Micros;
}

/**
 * Delivers events to webhook subscriptions, at least once each: a delivery whose process dies
 * becomes due again when its lease runs out, with the same event id.
 */
export function startDeliverLoop(
  services: DeliverServices,
  options: SenderOptions = {},
): AsyncDisposable {
  const { logger, clock, config, wake } = services;
  const sender = createSender(services.sealer, options);
  const timeout = seconds((options.timeout_ms ?? SEND_TIMEOUT_MS) / 1000);
  const record = loggingRecorder(services);
  // Lanes that had no room for all that was due are claimed for as soon as half of it is free.
  let full: ReadonlySet<string> = new Set();
  let crowded = false;

  async function giveBack(waiting: readonly Claimed[]): Promise<void> {
    const change = postponed(clock.now());
    await Promise.all(waiting.map(({ delivery }) => record({ delivery, change })));
  }

  async function deliver(claimed: Claimed): Promise<boolean | undefined> {
    const { delivery, lease_until, probe_until } = claimed;
    const started_at = clock.now();
    let answered: boolean | undefined;
    // Whoever waited so long that its answer could come after the lease is left to the next claim.
    if (started_at + timeout < lease_until) {
      const answer = await sender.send(claimed, started_at);
      const attempt = { answer, started_at, ended_at: clock.now() };
      answered = answer.error === undefined;
      const suspended = await record({ delivery, attempt, probe_until });
      if (suspended) await giveBack(lanes.takeBack(keyText(claimed.subscription)));
    }
    return answered;
  }

  const lanes = createLanes<Claimed>({
    clock,
    run: deliver,
    ended(lane) {
      const room = crowded ? lanes.held() <= HELD_MAX / 2 : full.has(lane) && lanes.isLow(lane);
      if (room) wake.deliver.raise();
    },
    laneOf: ({ subscription }) => keyText(subscription),
    limitOf: ({ subscription }) => Number(subscription.concurrency_limit),
    running_max: IN_FLIGHT_MAX,
    slow_max: SLOW_IN_FLIGHT_MAX,
  });

  async function step(): Promise<boolean> {
    const limit = Math.min(CLAIM_MAX, HELD_MAX - lanes.held());
    crowded = limit <= 0;
    if (crowded) return false;
    const claimed = await claim(services, lanes.rooms(), limit);
    full = claimed.full;
    const { send, keep } = await dispatchOf(services, claimed.parcels);
    for (const letter of send) lanes.offer({ ...letter, lease_until: claimed.lease_until });
    await Promise.all(keep.map(record));
    return claimed.parcels.length === limit;
  }

  const loop = startLoop({
    name: 'deliver',
    logger,
    wake: wake.deliver,
    poll_ms: config.work_poll_ms,
    step,
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await giveBack(await lanes.drain());
      await sender[Symbol.asyncDispose]();
    },
  };
}

interface Claim {
  readonly parcels: readonly Parcel[];
  readonly lease_until: Micros;
  /** Lanes for which as much was claimed as there was room for. */
  readonly full: ReadonlySet<string>;
}

async function claim(
  { db, clock }: DeliverServices,
  { known, newcomers }: Rooms,
  limit: number,
): Promise<Claim> {
  const now = clock.now();
  const lease_until = now + seconds(LEASE_S);
  const deliveries = await claimDeliveries(db, {
    now: instantText(now),
    lease_until: instantText(lease_until),
    limit,
    rooms: known.map(({ lane, room }) => ({ ...keyOfText(lane), room })),
    room: newcomers,
  });
  const parcels = deliveries.length === 0 ? [] : await loadParcels(db, deliveries);
  const lanes = Map.groupBy(parcels, ({ subscription }) => keyText(subscription));
  const rooms = new Map(known.map(({ lane, room }) => [lane, room]));
  const full = [...new Set([...rooms.keys(), ...lanes.keys()])].filter(
    (lane) => (lanes.get(lane)?.length ?? 0) >= (rooms.get(lane) ?? newcomers),
  );
  return { parcels, lease_until, full: new Set(full) };
}

/** A result that cannot be stored is logged: the delivery is sent again when its lease runs out. */
function loggingRecorder(services: DeliverServices): Recorder {
  const record = createRecorder(services);
  return (result) =>
    record(result).catch((error: Error) => {
      const { id, merchant_id } = result.delivery;
      const err = { message: error.message };
      services.logger.error({ delivery: id, merchant: merchant_id, err }, 'delivery not recorded');
      return false;
    });
}
