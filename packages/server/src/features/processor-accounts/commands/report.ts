/** Result of a command. `ok` is false if a check failed or no account takes a payment. */
export interface CommandReport {
  readonly ok: boolean;
  readonly text: string;
}

export const done = (text: string): CommandReport => ({ ok: true, text });
