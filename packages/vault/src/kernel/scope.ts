import type { Mode } from '@florin/contract/protocol/vault.ts';

/** Whose records: one merchant's, in one mode. */
export interface Scope {
  readonly merchant_id: string;
  readonly mode: Mode;
}
