import type { Config } from '../../../config/config.ts';
import { type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { deferredUntil } from '../delivery.ts';
import type { WebhookMessage } from '../dispatch.ts';
import { createRecorder, type Recorder, type RecorderServices } from '../record.ts';
import { createRefresh, type RefreshResult } from '../refresh.ts';
import { createSender, SEND_TIMEOUT_MS, type SenderOptions } from '../sending/send.ts';

/** Webhook message that this process has leased. */
export interface LeasedMessage extends WebhookMessage {
  readonly claimed_at: Micros;
  readonly lease_until: Micros;
}

interface SendResult {
  /** Whether the endpoint responded in time; absent if nothing was sent. */
  readonly answered?: boolean;
  /** Whether the endpoint is suspended now. */
  readonly suspended?: boolean;
}

/** Sends claimed messages and records the results. Never rejects. */
export interface DeliverySender extends AsyncDisposable {
  readonly record: Recorder;
  send(message: LeasedMessage): Promise<SendResult>;
  /** Makes unsent messages due again. */
  release(messages: readonly LeasedMessage[]): Promise<void>;
}

type DeliverySenderServices = RecorderServices &
  Pick<Services, 'logger' | 'sealer'> &
  Partial<Pick<Services, 'system_clock'>> & {
    readonly config: Pick<Config, 'sandbox_webhooks'>;
  };

export function createDeliverySender(
  services: DeliverySenderServices,
  options: SenderOptions,
): DeliverySender {
  const { clock, config, logger, system_clock, sealer } = services;
  const { sandbox_webhooks } = config;
  const sender = createSender(sealer, {
    sandbox_webhooks,
    ...(system_clock && { signatureTime: system_clock.now }),
    ...options,
  });
  const timeout = seconds((options.timeout_ms ?? SEND_TIMEOUT_MS) / 1000);
  const record = loggingRecorder(services);
  const refresh = createRefresh(services);

  /** Undefined if the database does not respond; the lease then ends without a result. */
  const refreshClaimed = (message: LeasedMessage): Promise<RefreshResult | undefined> =>
    refresh(message, message.claimed_at).catch((error: Error) => {
      const webhook_subscription = message.delivery.webhook_subscription_id;
      logger.error(
        { webhook_subscription, err: { message: error.message } },
        'webhook subscription not read',
      );
      return undefined;
    });

  async function sendNow(message: WebhookMessage): Promise<SendResult> {
    const { delivery, probe_until } = message;
    const started_at = clock.now();
    const endpointAnswer = await sender.send(message, started_at);
    const attempt = { answer: endpointAnswer, started_at, ended_at: clock.now() };
    const suspended = await record({ delivery, attempt, probe_until });
    return { answered: endpointAnswer.error === undefined, suspended };
  }

  return {
    record,
    async send(message) {
      // Leaves the message to the next claim if its result could come after the end of the lease.
      if (clock.now() + timeout >= message.lease_until) return {};
      const refreshResult = await refreshClaimed(message);
      if (!refreshResult) return {};
      if ('message' in refreshResult) return sendNow(refreshResult.message);
      await record({ delivery: message.delivery, change: refreshResult.change });
      return {};
    },
    async release(messages) {
      const change = deferredUntil(clock.now());
      await Promise.all(messages.map(({ delivery }) => record({ delivery, change })));
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

/** Logs results that cannot be stored. The delivery is sent again when its lease ends. */
function loggingRecorder(services: DeliverySenderServices): Recorder {
  const record = createRecorder(services);
  return (result) =>
    record(result).catch((error: Error) => {
      const { id, merchant_id } = result.delivery;
      const err = { message: error.message };
      services.logger.error({ delivery: id, merchant: merchant_id, err }, 'delivery not recorded');
      return false;
    });
}
