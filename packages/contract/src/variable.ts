/** An environment variable, as the documentation lists it. */
export interface Variable {
  readonly topic: VariableTopic;
  /** Markdown: purpose, accepted values and their units. */
  readonly meaning: string;
  /** Markdown. Absent if there is no default. */
  readonly default?: string;
  /** Whether `NAME_FILE` may name a file with the value instead. */
  readonly is_secret?: true;
}

type VariableTopic =
  | 'server'
  | 'email'
  | 'processors'
  | 'sandbox'
  | 'hsm'
  | 'vault_tls'
  | 'wallets'
  | 'process';
