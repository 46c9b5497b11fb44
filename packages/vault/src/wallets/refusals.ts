import { VaultRefusal } from '../kernel/errors.ts';

/** Refusal of a token. `reason` names the invalid part, never its value. */
export const unreadableToken = (reason: string): VaultRefusal =>
  new VaultRefusal('wallet_token_unreadable', `The wallet token is invalid: ${reason}.`);

export const expiredToken = (reason: string): VaultRefusal =>
  new VaultRefusal('wallet_token_expired', `The wallet token is invalid: ${reason}.`);
