import type { Config } from '../../../config/config.ts';
import { type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { postponed } from '../delivery.ts';
import type { Letter } from '../dispatch.ts';
import { createRecorder, type Recorder, type RecorderServices } from '../record.ts';
import { createRefresh, type Refreshed } from '../refresh.ts';
import { createSender, SEND_TIMEOUT_MS, type SenderOptions } from '../sending/send.ts';

/** A webhook message under the lease of this process. */
export interface Claimed extends Letter {
  readonly claimed_at: Micros;
  readonly lease_until: Micros;
}

interface Carried {
  /** Whether the endpoint responded in time; absent if nothing was sent. */
  readonly answered?: boolean;
  /** Whether the endpoint is suspended now. */
  readonly suspended?: boolean;
}

/** Sends claimed messages and records the results. Never rejects. */
export interface Courier extends AsyncDisposable {
  readonly record: Recorder;
  carry(claimed: Claimed): Promise<Carried>;
  /** Makes unsent messages due again. */
  giveBack(waiting: readonly Claimed[]): Promise<void>;
}

type CourierServices = RecorderServices &
  Pick<Services, 'logger' | 'sealer'> &
  Partial<Pick<Services, 'machine'>> & {
    readonly config: Pick<Config, 'sandbox_webhooks'>;
  };

export function createCourier(services: CourierServices, options: SenderOptions): Courier {
  const { clock, config, logger, machine, sealer } = services;
  const { sandbox_webhooks } = config;
  const sender = createSender(sealer, {
    sandbox_webhooks,
    ...(machine && { stamp: machine.now }),
    ...options,
  });
  const timeout = seconds((options.timeout_ms ?? SEND_TIMEOUT_MS) / 1000);
  const record = loggingRecorder(services);
  const refresh = createRefresh(services);

  /** Undefined if the database does not answer: the lease ends. */
  const refreshed = (claimed: Claimed): Promise<Refreshed | undefined> =>
    refresh(claimed, claimed.claimed_at).catch((error: Error) => {
      logger.error({ err: { message: error.message } }, 'subscription not read');
      return undefined;
    });

  async function send(letter: Letter): Promise<Carried> {
    const { delivery, probe_until } = letter;
    const started_at = clock.now();
    const answer = await sender.send(letter, started_at);
    const attempt = { answer, started_at, ended_at: clock.now() };
    const suspended = await record({ delivery, attempt, probe_until });
    return { answered: answer.error === undefined, suspended };
  }

  return {
    record,
    async carry(claimed) {
      // If the result could come after the lease, the message is left to the next claim.
      if (clock.now() + timeout >= claimed.lease_until) return {};
      const next = await refreshed(claimed);
      if (!next) return {};
      if ('letter' in next) return send(next.letter);
      await record({ delivery: claimed.delivery, change: next.change });
      return {};
    },
    async giveBack(waiting) {
      const change = postponed(clock.now());
      await Promise.all(waiting.map(({ delivery }) => record({ delivery, change })));
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

/** Logs results that cannot be stored: the delivery is sent again when its lease ends. */
function loggingRecorder(services: CourierServices): Recorder {
  const record = createRecorder(services);
  return (result) =>
    record(result).catch((error: Error) => {
      const { id, merchant_id } = result.delivery;
      const err = { message: error.message };
      services.logger.error({ delivery: id, merchant: merchant_id, err }, 'delivery not recorded');
      return false;
    });
}
