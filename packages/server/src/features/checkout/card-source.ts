import type { VerifyRequest, WalletRequest } from '@florin/contract/protocol/frame.ts';
import type { IngestRequest } from '@florin/contract/protocol/vault.ts';
import type { MountedRecord } from './mounted.ts';
import type { MountSession } from './session.ts';

/**
 * Input of the vault: an encrypted card or a wallet's token. Undefined if the payment differs from
 * the purchase that the cardholder approved in the wallet.
 */
export function sourceOf(
  request: VerifyRequest | WalletRequest,
  { nonce: sid }: MountSession,
  { row }: MountedRecord,
): IngestRequest['source'] | undefined {
  if (!('wallet' in request)) {
    const { pan_jwe, cvv_jwe } = request;
    return { kind: 'sealed', pan_jwe, cvv_jwe, sid };
  }
  const { wallet, token, amount, currency } = request;
  if (amount !== row.amount_cents || currency !== row.amount_currency) return undefined;
  return { kind: 'wallet', wallet, token, sid, amount: Number(amount), currency };
}
