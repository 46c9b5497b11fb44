import type { RelayAnswer } from '@florin/contract/protocol/vault.ts';
import { createLimiter, type Limiter } from '../../platform/concurrency/limiter.ts';
import type { SendLimiters, Services } from '../../services.ts';
import type { Message } from './message.ts';
import type { PaymentOutcomeRecorder } from './record-outcome.ts';

export interface InFlightLimits {
  /** Limit of messages in flight. */
  readonly max: number;
  /** Limit of messages in flight of one merchant. */
  readonly merchant_max: number;
  /** Messages by account, which loops share. */
  readonly accounts: Limiter;
  /**
   * Limit of concurrent relay calls. Each uses a connection to the vault, and card forms need
   * connections too.
   */
  readonly relays_max: number;
  /** Called after a response to a merchant that had `merchant_max` messages in flight. */
  readonly onMerchantFree?: () => void;
}

export const createInFlight = ({
  max,
  merchant_max,
  accounts,
  relays_max,
  onMerchantFree,
}: InFlightLimits): SendLimiters => ({
  relays: createLimiter({ total: { max: relays_max } }),
  accounts,
  messages: createLimiter({
    total: { max },
    per_key: { max: merchant_max },
    ...(onMerchantFree && { onKeyFree: onMerchantFree }),
  }),
});

/**
 * Starts to send claimed payments and does not wait for responses. Their attempts are already
 * stored.
 */
export function startSending(
  services: Services,
  inFlight: SendLimiters,
  recordOutcome: PaymentOutcomeRecorder,
  messages: readonly Message[],
): void {
  if (messages.length === 0) return;
  inFlight.relays.start(() => sendPayments(services, inFlight, recordOutcome, messages));
}

/**
 * Sends messages through the vault and records each outcome when it arrives. Never rejects: without
 * an outcome, the attempt's lease ends and the resolver inquires.
 */
async function sendPayments(
  services: Services,
  slots: SendLimiters,
  recordOutcome: PaymentOutcomeRecorder,
  messages: readonly Message[],
): Promise<void> {
  const messagesInFlight = new Map(messages.map((message) => [message.request.id, message]));
  const pendingRecords: Promise<void>[] = [];
  const started_ms = services.config.monotonic_ms();
  const release = ({ request, account_id }: Message): void => {
    slots.messages.release(request.merchant_id);
    if (account_id !== undefined) slots.accounts.release(account_id);
  };
  const onAnswer = (answer: RelayAnswer): void => {
    const message = messagesInFlight.get(answer.id);
    if (!message || !messagesInFlight.delete(answer.id)) return;
    observeAnswer(services, message, answer, started_ms);
    const recorded = recordAnswer(services, recordOutcome, message, answer);
    pendingRecords.push(recorded.finally(() => release(message)));
  };
  for (const { request, account_id } of messages) {
    slots.messages.take(request.merchant_id);
    if (account_id !== undefined) slots.accounts.take(account_id);
  }
  try {
    await services.relay.relay(
      messages.map(({ request }) => request),
      onAnswer,
    );
  } catch (error) {
    services.logger.error(
      { err: { message: (error as Error).message } },
      'payment messages not sent or answered: the resolver inquires',
    );
  } finally {
    for (const message of messagesInFlight.values()) release(message);
  }
  await Promise.all(pendingRecords);
}

function observeAnswer(
  { config, account_keys, processor_metrics }: Services,
  { account_id }: Message,
  answer: RelayAnswer,
  started_ms: number,
): void {
  if (answer.outcome !== 'answered') return;
  if (account_id !== undefined) account_keys.observe(account_id, answer);
  processor_metrics.observeAnswer(account_id ?? null, (config.monotonic_ms() - started_ms) / 1_000);
}

/** Parses the processor's response and records the outcome. Never rejects. */
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
    logger.error({ attempt: id, err }, 'payment outcome not recorded: the resolver inquires');
  }
}
