import { createHash } from 'node:crypto';
import type { IngestRequest, Mode } from '@florin/contract/protocol/vault.ts';
import type { ClearCard } from '../cards/clear-card.ts';
import { packCryptogram } from '../cards/cryptogram.ts';
import type { Purpose } from '../cards/record.ts';
import type { Seal } from '../cards/seal-store.ts';
import type { Scope } from '../kernel/scope.ts';
import type { WalletCard } from '../wallets/wallet-card.ts';
import type { Wallets } from '../wallets/wallets.ts';
import { checkExpiry, checkNumber } from './check-card.ts';

export type WalletSource = Extract<IngestRequest['source'], { kind: 'wallet' }>;

/** Card of a wallet token, with the seal that limits it to one use. Throws `VaultRefusal`. */
export async function openWallet(
  wallets: Wallets,
  scope: Scope,
  source: WalletSource,
  now: number,
): Promise<ClearCard> {
  const { wallet, token: text, amount, currency } = source;
  const card = await wallets.open({
    ...scope,
    wallet,
    text,
    now,
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
  });
  const number = checkNumber(card.number);
  const { cryptogram } = card;
  const sealOf = createSealer(scope.mode, source, card);
  return {
    number,
    ...checkExpiry(card.expiry_month, card.expiry_year, now),
    seal: sealOf('pan'),
    wallet: {
      kind: wallet,
      authenticated: cryptogram !== undefined,
      ...(cryptogram?.eci && { eci: cryptogram.eci }),
    },
    ...(cryptogram && {
      cryptogram: { text: packCryptogram(cryptogram), seal: sealOf('cryptogram') },
    }),
  };
}

/**
 * Names a seal by a hash, because the wallet's own id may have any length. The hash includes the mode, since
 * in the sandbox anyone can sign any id.
 */
const createSealer =
  (mode: Mode, { wallet, sid }: WalletSource, { id, expires_at }: WalletCard) =>
  (purpose: Purpose): Seal => ({
    jti: `${mode}:${wallet}:${purpose}:${createHash('sha256').update(id).digest('hex')}`,
    sid,
    expires_at: new Date(expires_at),
    replayedCode: 'wallet_token_replayed',
  });
