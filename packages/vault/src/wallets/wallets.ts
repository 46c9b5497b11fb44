import { createPrivateKey, type KeyObject } from 'node:crypto';
import type {
  Mode,
  WalletKeys as PublishedKeys,
  WalletKind,
} from '@florin/contract/protocol/vault.ts';
import type { Audit } from '../audit/audit.ts';
import { StartupError, VaultRefusal } from '../kernel/errors.ts';
import type { PublicWalletKey, WalletKeys } from '../keys/wallet-keys.ts';
import { openApplePay } from './apple-pay.ts';
import { gatewayOf, openGooglePay } from './google-pay.ts';
import { isP256, pointOf } from './p256.ts';
import {
  parseWalletSetups,
  type WalletSetup,
  type WalletSetups,
  type WalletsConfig,
} from './setup.ts';
import type { WalletCard } from './wallet-card.ts';

/** A token, and the scope in which it may be used. */
export interface WalletToken {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly wallet: WalletKind;
  readonly text: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly now: number;
}

export interface Wallets {
  /** Public key data of each mode for the wallets in forms. */
  loadPublicKeys(): Promise<PublishedKeys[]>;
  /** Verifies and decrypts a token. Throws `VaultRefusal`. */
  open(token: WalletToken): Promise<WalletCard>;
}

interface WalletDeps {
  readonly walletKeys: WalletKeys;
  readonly audit: Audit;
}

/** Opens the wallets of both modes, and stores keys from the configuration. Throws `StartupError`. */
export async function openWallets(deps: WalletDeps, config?: WalletsConfig): Promise<Wallets> {
  const setups = parseWalletSetups(config);
  for (const wallet of ['apple_pay', 'google_pay'] as const) {
    const pem = config?.[wallet]?.key;
    if (pem !== undefined) await adoptKey(deps, wallet, pem);
  }
  return {
    async loadPublicKeys() {
      const keys = await deps.walletKeys.loadPublicKeys();
      return (['live', 'sandbox'] as const).map((mode) => describeKeys(mode, setups[mode], keys));
    },
    open: (token) =>
      token.wallet === 'apple_pay'
        ? openApple(deps.walletKeys, setups, token)
        : openGoogle(deps.walletKeys, setups, token),
  };
}

const notConfiguredRefusal = ({ wallet, mode }: WalletToken): VaultRefusal =>
  new VaultRefusal('wallet_not_configured', `${wallet} is not set up in ${mode} mode.`);

function openApple({ privateKey }: WalletKeys, setups: WalletSetups, token: WalletToken) {
  const { mode, wallet, text } = token;
  const setup = setups[mode].apple_pay;
  if (!setup) throw notConfiguredRefusal(token);
  const keyOf = (id: string) => privateKey(mode, wallet, id);
  return openApplePay(text, { ...token, setup, keyOf });
}

async function openGoogle({ privateKeys }: WalletKeys, setups: WalletSetups, token: WalletToken) {
  const { mode, wallet, text, now, merchant_id } = token;
  const setup = setups[mode].google_pay;
  if (!setup) throw notConfiguredRefusal(token);
  const keys = await privateKeys(mode, wallet);
  return openGooglePay(text, { setup, keys, merchant_id, now });
}

async function adoptKey(
  { walletKeys, audit }: WalletDeps,
  wallet: WalletKind,
  pem: string,
): Promise<void> {
  const addedKeyId = await walletKeys.publish(wallet, parseKey(wallet, pem));
  if (addedKeyId === undefined) return;
  const outcome = `${wallet} ${addedKeyId}`;
  await audit.record({ actor: 'operator', verb: 'take_wallet_key', mode: 'live', outcome });
}

/** Without `cause`, which could quote the key. */
function parseKey(wallet: WalletKind, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (isP256(key)) return key;
  } catch {
    // The error below handles the failure.
  }
  const name = `VAULT_${wallet.toUpperCase()}_KEY_FILE`;
  throw new StartupError(`${name} must hold a private key of P-256 as PEM.`);
}

function describeKeys(
  mode: Mode,
  { apple_pay, google_pay }: WalletSetup,
  keys: readonly PublicWalletKey[],
): PublishedKeys {
  const keyOf = (wallet: WalletKind) =>
    keys.find((key) => key.mode === mode && key.wallet === wallet);
  const [appleKey, googleKey] = [keyOf('apple_pay'), keyOf('google_pay')];
  const gateway = google_pay && gatewayOf(google_pay);
  return {
    mode,
    ...(apple_pay &&
      appleKey && {
        apple_pay: {
          merchant_identifier: apple_pay.merchant_identifier,
          public_key_hash: appleKey.key_id,
          public_key: appleKey.public_key,
        },
      }),
    ...(google_pay &&
      googleKey && {
        google_pay: {
          recipient_id: google_pay.recipient_id,
          ...(gateway !== undefined && { gateway }),
          ...(google_pay.merchant_id && { merchant_id: google_pay.merchant_id }),
          public_key: pointOf(Buffer.from(googleKey.public_key, 'base64')),
        },
      }),
  };
}
