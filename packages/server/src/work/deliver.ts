import type { Config } from '../config/config.ts';
import type { Services } from '../features/services.ts';
import { decideDelivery, decideUnsent, postponed } from '../features/webhooks/delivery.ts';
import { createLanes } from '../features/webhooks/lanes.ts';
import { loadParcels, type Parcel } from '../features/webhooks/load.ts';
import { createRecorder, type Result } from '../features/webhooks/record.ts';
import { createSender, SEND_TIMEOUT_MS, type SenderOptions } from '../features/webhooks/send.ts';
import { instantText, type Micros, seconds } from '../kernel/clock.ts';
import { claimDue } from '../store/claim.ts';
import { startLoop } from './loop.ts';

const CLAIM_MAX = 200;
const IN_FLIGHT_MAX = 512;
/** Claimed and not yet recorded: four rounds of time-outs, 40 s, see them sent within their lease. */
const HELD_MAX = 4 * IN_FLIGHT_MAX;
const LEASE_S = 60;

export type DeliverServices = Pick<Services, 'clock' | 'logger' | 'db' | 'catalog'> & {
  readonly config: Pick<Config, 'webhook_retry_scale' | 'work_poll_ms'>;
  readonly wake: Pick<Services['wake'], 'deliver'>;
};

interface Claimed extends Parcel {
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
  const sender = createSender(options);
  const timeout = seconds((options.timeout_ms ?? SEND_TIMEOUT_MS) / 1000);
  const record = loggingRecorder(services);
  // Until then room that becomes free is claimed for at once: there was more due than there was room.
  let hungry_until: Micros = 0;

  async function deliver({ lease_until, ...parcel }: Claimed): Promise<void> {
    const started_at = clock.now();
    // Whoever waited so long that its answer could come after the lease is left to the next claim.
    if (started_at + timeout < lease_until) {
      const answer = await sender.send(parcel, started_at);
      const attempt = { answer, started_at, ended_at: clock.now() };
      const change = decideDelivery(parcel.delivery, attempt, config.webhook_retry_scale);
      await record({ delivery: parcel.delivery, change });
    }
    if (clock.now() <= hungry_until) wake.deliver.raise();
  }

  const lanes = createLanes<Claimed>({
    clock,
    run: deliver,
    laneOf: ({ subscription }) => `${subscription.merchant_id} ${subscription.id}`,
    limitOf: ({ subscription }) => Number(subscription.concurrency_limit),
    running_max: IN_FLIGHT_MAX,
  });

  /** Hands the delivery to its lane, or says what becomes of it where it is not sent now. */
  function dispatch(claimed: Claimed, now: Micros): Result | undefined {
    const { delivery, subscription } = claimed;
    const idle = decideUnsent(subscription.status as string, now, config.webhook_retry_scale);
    if (idle) return { delivery, change: idle };
    const room_at = lanes.offer(claimed);
    if (room_at === undefined) return undefined;
    hungry_until = Math.max(hungry_until, room_at);
    return { delivery, change: postponed(room_at) };
  }

  async function step(): Promise<boolean> {
    const limit = Math.min(CLAIM_MAX, HELD_MAX - lanes.held());
    const claimed = limit > 0 ? await claim(services, limit) : [];
    const now = clock.now();
    if (claimed.length === limit) hungry_until = Math.max(hungry_until, now + seconds(1));
    const unsent = claimed.flatMap((parcel) => dispatch(parcel, now) ?? []);
    await Promise.all(unsent.map(record));
    return limit > 0 && claimed.length === limit;
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
      const waiting = await lanes.drain();
      const change = postponed(clock.now());
      await Promise.all(waiting.map(({ delivery }) => record({ delivery, change })));
      await sender[Symbol.asyncDispose]();
    },
  };
}

async function claim({ db, clock }: DeliverServices, limit: number): Promise<Claimed[]> {
  const now = clock.now();
  const lease_until = now + seconds(LEASE_S);
  const deliveries = await claimDue(db, {
    table: 'webhook_deliveries',
    now: instantText(now),
    lease_until: instantText(lease_until),
    limit,
  });
  if (deliveries.length === 0) return [];
  const parcels = await loadParcels(db, deliveries);
  return parcels.map((parcel) => ({ ...parcel, lease_until }));
}

/** A result that cannot be stored is logged: the delivery is sent again when its lease runs out. */
function loggingRecorder(services: DeliverServices): (result: Result) => Promise<void> {
  const record = createRecorder(services);
  return (result) =>
    record(result).catch((error: Error) => {
      const { id, merchant_id } = result.delivery;
      const err = { message: error.message };
      services.logger.error({ delivery: id, merchant: merchant_id, err }, 'delivery not recorded');
    });
}
