import { VaultRefusal } from '../kernel/errors.ts';

/** Refusal of a token. `reason` names the invalid part, never its value. */
export const unreadableToken = (reason: string): VaultRefusal =>
  new VaultRefusal('wallet_token_unreadable', `The wallet's token is refused: ${reason}.`);

export const expiredToken = (reason: string): VaultRefusal =>
  new VaultRefusal('wallet_token_expired', `The wallet's token is refused: ${reason}.`);
