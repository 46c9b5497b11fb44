import type { WireAnswer } from './port/message.ts';

/**
 * Statuses with which a processor refuses the key of an account: wrong, revoked, or without the permission. For captures,
 * refunds and reversals, 403 can also mean that the payment's state allows none.
 */
const REFUSING = { authorise: [401, 403], follow_up: [401] } as const;
export type KeyedOperation = keyof typeof REFUSING;

/** Whether the processor refused the account's key. */
export const isKeyRefusal = (
  answer: WireAnswer,
  operation: KeyedOperation = 'authorise',
): boolean =>
  answer.outcome === 'answered' &&
  (REFUSING[operation] as readonly number[]).includes(answer.status);

/** Whether the answer shows that the processor accepts the account's key. Other errors show nothing. */
export const isKeyAccepted = (answer: WireAnswer): boolean =>
  answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;

/** Notices accounts whose key their processor refuses. The notices are in the database, for all servers. */
export interface AccountKeys {
  /** Observes the answer to a message, by default to an authorisation. Never waits and never throws. */
  observe(account_id: string, answer: WireAnswer, operation?: KeyedOperation): void;
  /** Reads which accounts have a notice. */
  refresh(): Promise<void>;
  /** Stores the rest. */
  close(): Promise<void>;
}
