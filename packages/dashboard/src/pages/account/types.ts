/** A passkey of the account, as listed by the dashboard interface. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly used_at: string | null;
  readonly created_at: string;
}
