import { VaultRefusal } from '../kernel/errors.ts';

/** Refusal of a token. `what` names the invalid part, never its value. */
export const unreadableToken = (what: string): VaultRefusal =>
  new VaultRefusal('wallet_token_unreadable', `The wallet's token is refused: ${what}.`);

export const expired = (what: string): VaultRefusal =>
  new VaultRefusal('wallet_token_expired', `The wallet's token is refused: ${what}.`);
