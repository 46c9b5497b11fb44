import type { RelayAnswer } from '@florin/contract/protocol/vault.ts';
import { createLimiter, type Limiter } from '../../platform/concurrency/limiter.ts';
import type { Services } from '../../services.ts';
import type { Message } from './message.ts';
import type { PaymentOutcomeRecorder } from './record-outcome.ts';

/** Limits of one work loop that sends payments. */
export interface InFlight {
  /** Messages in flight, by merchant. */
  readonly messages: Limiter;
  /** Calls of the vault. */
  readonly relays: Limiter;
}

export interface InFlightLimits {
  /** Messages in flight. */
  readonly max: number;
  /** Messages in flight of one merchant. */
  readonly merchant_max: number;
  /** Relay calls at once. Each uses a connection to the vault, and card forms need some as well. */
  readonly relays_max: number;
  /** Called at the response to a merchant that had `merchant_max` in flight. */
  readonly onMerchantFree?: () => void;
}

export const createInFlight = ({
  max,
  merchant_max,
  relays_max,
  onMerchantFree,
}: InFlightLimits): InFlight => ({
  relays: createLimiter({ all: { max: relays_max } }),
  messages: createLimiter({
    all: { max },
    key: { max: merchant_max },
    ...(onMerchantFree && { onKeyFree: onMerchantFree }),
  }),
});

/** Starts to send claimed payments, whose attempts are stored, and does not wait for the answers. */
export function startSending(
  services: Services,
  inFlight: InFlight,
  recordOutcome: PaymentOutcomeRecorder,
  messages: readonly Message[],
): void {
  if (messages.length === 0) return;
  inFlight.relays.start(() => sendPayments(services, inFlight, recordOutcome, messages));
}

/**
 * Sends messages through the vault, and records each outcome as it arrives. Never rejects: an
 * attempt without an outcome stays open, its lease ends, and the resolver inquires.
 */
async function sendPayments(
  services: Services,
  { messages: slots }: InFlight,
  recordOutcome: PaymentOutcomeRecorder,
  messages: readonly Message[],
): Promise<void> {
  const open = new Map(messages.map((message) => [message.request.id, message]));
  const recording: Promise<void>[] = [];
  const release = ({ request }: Message): void => slots.release(request.merchant_id);
  const onAnswer = (answer: RelayAnswer): void => {
    const message = open.get(answer.id);
    if (!message || !open.delete(answer.id)) return;
    const recorded = recordAnswer(services, recordOutcome, message, answer);
    recording.push(recorded.finally(() => release(message)));
  };
  for (const { request } of messages) slots.take(request.merchant_id);
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
  await Promise.all(recording);
}

/** Reads the processor's answer, and records the outcome. Never rejects. */
async function recordAnswer(
  { logger }: Services,
  recordOutcome: PaymentOutcomeRecorder,
  { request: { merchant_id, id }, processor }: Message,
  answer: RelayAnswer,
): Promise<void> {
  try {
    const result = processor.authorise.mapAnswer(answer, id);
    await recordOutcome({ key: { merchant_id, id }, result });
  } catch (error) {
    const err = { message: (error as Error).message };
    logger.error({ attempt: id, err }, 'recording an outcome failed');
  }
}
