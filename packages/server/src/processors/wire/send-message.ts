import type { Mode, RelayAnswer } from '@florin/contract/protocol/vault.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { WireAnswer, WireRequest } from '../port/message.ts';
import type { Relay } from './relay.ts';
import { sendPlain } from './send-plain.ts';

export interface MessageSender {
  readonly relay: Pick<Relay, 'relay'>;
  readonly system_clock: Clock;
}

export interface SendOptions {
  readonly merchant_id: string;
  readonly mode: Mode;
  /** Milliseconds in which the message may begin to leave; absent: the message's own timeout. */
  readonly leaves_within_ms?: number;
}

/**
 * Sends a message without a card: through the vault if secrets of an account must be filled in or a codec is named,
 * otherwise directly. Never throws.
 */
export async function sendMessage(
  sender: MessageSender,
  request: WireRequest,
  options: SendOptions,
): Promise<WireAnswer> {
  const { system_clock } = sender;
  const latestStart = system_clock.now() + 1_000 * (options.leaves_within_ms ?? request.timeout_ms);
  return request.credentials || request.codec || request.answer_codec
    ? relayMessage(sender, request, options, Math.floor(latestStart / 1_000))
    : sendPlain(request, () => system_clock.now() < latestStart);
}

/** Sends through the vault. The vault does not send after `not_after`, in milliseconds since 1970. */
async function relayMessage(
  { relay, system_clock }: MessageSender,
  request: WireRequest,
  { merchant_id, mode }: SendOptions,
  not_after: number,
): Promise<WireAnswer> {
  const id = uuidv7(system_clock.now());
  const answers: RelayAnswer[] = [];
  const message = { id, merchant_id, mode, consumes_cvv: false, card_fields: {}, not_after };
  await relay.relay([{ ...message, ...request }], (answer) => answers.push(answer));
  return answers[0] ?? { outcome: 'lost', why: 'The vault ended without an answer.' };
}
