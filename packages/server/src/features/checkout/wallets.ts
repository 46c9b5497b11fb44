import type { WalletName, WalletsConfig } from '@florin/contract/protocol/frame.ts';
import type { WalletKeys } from '@florin/contract/protocol/vault.ts';
import { acsOrigin } from '../../config/config.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { VaultUnavailable } from '../../processors/wire/relay.ts';
import type { Services } from '../../services.ts';
import { googlePayRequest } from './google-pay.ts';

export const walletNames: readonly WalletName[] = ['apple_pay', 'google_pay'];

/** Wallets that a merchant's page requests. */
export interface RequestedWallets {
  readonly names: readonly WalletName[];
  /** Whether wallets must return the cardholder's billing address. */
  readonly billing_address: boolean;
}

export type OfferedWallets = Pick<WalletsConfig, WalletName>;

/**
 * Wallets for the form: requested by the page and configured for the mode, with the payment's amount. Undefined
 * without any wallet or if the vault is unreachable, so that the form still opens.
 */
export async function offerWallets(
  services: Services,
  scope: Scope,
  payment: Row,
  { names, billing_address }: RequestedWallets,
): Promise<OfferedWallets | undefined> {
  const keys = names.length > 0 ? await keysOf(services, scope) : undefined;
  if (!keys) return undefined;
  const offeredNames = names.filter((name) => keys[name] && isPossible(scope, name, keys));
  if (offeredNames.length === 0) return undefined;
  const input: WalletSetupInput = { services, scope, keys, payment, billing_address };
  return Object.fromEntries(offeredNames.map((name) => [name, offerOf(input, name)]));
}

/**
 * Whether a wallet works in this mode. Apple's sheet opens only from the shop's own page, which is
 * not supported yet. Google's needs a merchant id.
 */
const isPossible = ({ mode }: Scope, name: WalletName, keys: WalletKeys): boolean =>
  mode === 'sandbox' || (name === 'google_pay' && keys.google_pay?.merchant_id !== undefined);

async function keysOf({ relay, logger }: Services, { mode }: Scope) {
  try {
    return (await relay.walletKeys()).find((keys) => keys.mode === mode);
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    logger.error(
      { err: { message: error.message } },
      'wallet keys not read: forms show no wallets',
    );
    return undefined;
  }
}

interface WalletSetupInput {
  readonly services: Services;
  readonly scope: Scope;
  readonly keys: WalletKeys;
  readonly payment: Row;
  readonly billing_address: boolean;
}

function offerOf(
  { services, scope, keys, payment, billing_address }: WalletSetupInput,
  name: WalletName,
) {
  const { amount_cents, amount_currency } = payment;
  const money = { amount: amount_cents as string, currency: amount_currency as string };
  if (scope.mode === 'live') {
    const { merchant_id } = scope;
    return { request: googlePayRequest({ ...money, merchant_id, billing_address }, keys) };
  }
  const query = new URLSearchParams({
    ...money,
    ...keys[name],
    ...(name === 'google_pay' && { gateway_merchant_id: scope.merchant_id }),
    ...(billing_address && { billing_address: 'true' }),
  });
  return { sheet_url: `${acsOrigin(services.config)}/wallets/${name}/sheet?${query}` };
}
