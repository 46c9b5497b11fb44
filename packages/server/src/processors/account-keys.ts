import type { WireAnswer } from './port/message.ts';

/** Statuses with which a processor refuses the key of an account. */
const REFUSING: readonly number[] = [401, 403];

/** Whether the processor refused the account's key: wrong, revoked, or without the permission. */
export const isKeyRefusal = (answer: WireAnswer): boolean =>
  answer.outcome === 'answered' && REFUSING.includes(answer.status);

/** Whether the answer shows that the processor accepts the account's key. Other errors show nothing. */
export const isKeyAccepted = (answer: WireAnswer): boolean =>
  answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;

/** Notices accounts whose key their processor refuses. The notices are in the database, for all servers. */
export interface AccountKeys {
  /** Observes the answer to a message about a payment. Never waits and never throws. */
  observe(account_id: string, answer: WireAnswer): void;
  /** Reads which accounts have a notice. */
  refresh(): Promise<void>;
  /** Stores the rest. */
  close(): Promise<void>;
}
