import type { WireAnswer } from './port/message.ts';
import type { KeyReader, KeyReading } from './port/processor.ts';

/**
 * Statuses with which a processor refuses the key of an account: wrong, revoked, or without the permission. For captures,
 * refunds and reversals, 403 can also mean that the payment's state allows none.
 */
const REFUSING = { authorise: [401, 403], follow_up: [401] } as const;
export type KeyedOperation = keyof typeof REFUSING;

/**
 * Reads whether the processor accepts the account's key. 2xx accepts it, unless the adapter's `readKey` reads otherwise.
 * Other errors say nothing.
 */
export function keyReadingOf(
  answer: WireAnswer,
  operation: KeyedOperation = 'authorise',
  readKey?: KeyReader,
): KeyReading {
  if (answer.outcome !== 'answered') return { key: 'unclear' };
  const { status } = answer;
  if ((REFUSING[operation] as readonly number[]).includes(status)) return { key: 'refused' };
  if (status < 200 || status > 299) return { key: 'unclear' };
  return readKey ? readKey(answer) : { key: 'accepted' };
}

/** Notices accounts whose key their processor refuses. The notices are in the database, for all servers. */
export interface AccountKeys {
  /** Observes the answer to a message, by default to an authorisation. Never waits and never throws. */
  observe(account_id: string, answer: WireAnswer, operation?: KeyedOperation): void;
  /** Reads which accounts have a notice. */
  refresh(): Promise<void>;
  /** Stores the rest. */
  close(): Promise<void>;
}
