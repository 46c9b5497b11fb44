/** Name of the simulated network, which has no account, in metrics. */
export const NO_ACCOUNT = 'network';

/** Counts of a process about processors. An account is its id, so that there are at most as many series as accounts. */
export interface ProcessorMetrics {
  /** Counts a message that got a new state. Null: the simulated network. */
  countAttempt(account: string | null, operation: string, status: string): void;
  /** Counts a payment that got an outcome. Null: the simulated network. */
  countPayment(mode: string, account: string | null, status: string): void;
  /** Observes the time from handing an authorisation to the vault to the processor's answer. */
  observeAnswer(account: string | null, duration_s: number): void;
  /** Counts a message whose processor refused the account's key. */
  countRefusedKey(account: string): void;
  /** Counts a payment that asks a second account, by the rule and the outcome of the first. Null: no rule. */
  countFallback(rule: string | null, result: string): void;
  /** Counts a notification that was refused, or that is done with a status. */
  countNotification(account: string, status: string): void;
}
