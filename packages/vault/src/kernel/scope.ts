import type { Mode } from '@florin/contract/protocol/vault.ts';

/** Owner of records: a merchant in one mode. */
export interface Scope {
  readonly merchant_id: string;
  readonly mode: Mode;
}
