/** A passkey of the account as the dashboard interface lists it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly used_at: string | null;
  readonly created_at: string;
}
