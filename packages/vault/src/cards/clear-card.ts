import type { CardWallet } from '@florin/contract/protocol/vault.ts';
import type { Seal } from './seal-store.ts';

/** A validated, unencrypted card that the vault is about to store. */
export interface ClearCard {
  readonly number: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
  /** Absent if the number was sent unencrypted. */
  readonly seal?: Seal;
  readonly cvv?: ClearValue;
  /** Wallet facts; present for wallet cards. */
  readonly wallet?: CardWallet;
  /** Whether the number is a network token of the merchant. */
  readonly network_token?: boolean;
  /** Replaces the verification value of a wallet or network token, in the form of `packCryptogram`. */
  readonly cryptogram?: ClearValue;
}

/** A single-use value. */
export interface ClearValue {
  readonly text: string;
  readonly seal?: Seal;
}
