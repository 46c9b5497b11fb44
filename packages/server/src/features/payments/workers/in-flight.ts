import type { RelayAnswer } from '@florin/contract/protocol/vault.ts';
import { createLimiter, type Limiter } from '../../../platform/concurrency/limiter.ts';
import type { Services } from '../../../services.ts';
import type { Message } from '../message.ts';
import type { PaymentSettler } from '../settle.ts';

export interface InFlightOptions {
  /** Messages in flight. */
  readonly max: number;
  /** Messages in flight of one merchant. */
  readonly merchant_max: number;
  /** Relay calls at once. Each uses a connection to the vault, and card forms need some as well. */
  readonly relays_max: number;
  /** Called at the response to a merchant that had `merchant_max` in flight. */
  readonly onMerchantFree?: () => void;
}

/** Messages in flight. Their attempts are already stored. */
export interface InFlight extends AsyncDisposable {
  readonly messages: Pick<Limiter, 'free' | 'whenFree' | 'used'>;
  readonly relays: Pick<Limiter, 'free' | 'whenFree'>;
  /** Sends messages through the vault, and records each outcome as it arrives. */
  send(messages: readonly Message[]): void;
}

/** The disposal waits until each message has an answer or was given up. */
export function createInFlight(
  services: Services,
  settle: PaymentSettler,
  { max, merchant_max, relays_max, onMerchantFree }: InFlightOptions,
): InFlight {
  const relays = createLimiter({ all: { max: relays_max } });
  const inFlight = createLimiter({
    all: { max },
    key: { max: merchant_max },
    ...(onMerchantFree && { onKeyFree: onMerchantFree }),
  });
  return {
    messages: inFlight,
    relays,
    send(messages) {
      if (messages.length > 0) relays.start(() => relayAll(services, settle, inFlight, messages));
    },
    [Symbol.asyncDispose]: relays.whenIdle,
  };
}

/** Never rejects: what is not settled stays an open attempt, whose lease runs out, and the resolver asks. */
async function relayAll(
  services: Services,
  settle: PaymentSettler,
  inFlight: Pick<Limiter, 'take' | 'release'>,
  messages: readonly Message[],
): Promise<void> {
  const open = new Map(messages.map((message) => [message.request.id, message]));
  const settling: Promise<void>[] = [];
  const release = ({ request }: Message): void => inFlight.release(request.merchant_id);
  const onAnswer = (answer: RelayAnswer): void => {
    const message = open.get(answer.id);
    if (!message || !open.delete(answer.id)) return;
    settling.push(settleOne(services, settle, message, answer).finally(() => release(message)));
  };
  for (const { request } of messages) inFlight.take(request.merchant_id);
  try {
    await services.relay.relay(
      messages.map(({ request }) => request),
      onAnswer,
    );
  } catch (error) {
    services.logger.error(
      { err: { message: (error as Error).message } },
      'sending messages failed',
    );
  } finally {
    for (const message of open.values()) release(message);
  }
  await Promise.all(settling);
}

async function settleOne(
  services: Services,
  settle: PaymentSettler,
  { request: { merchant_id, id }, processor }: Message,
  answer: RelayAnswer,
): Promise<void> {
  try {
    const result = processor.authorise.mapAnswer(answer, id);
    await settle({ key: { merchant_id, id }, result });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ attempt: id, err }, 'recording an outcome failed');
  }
}
