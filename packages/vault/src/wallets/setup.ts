import { createPublicKey, X509Certificate } from 'node:crypto';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { isObject } from '../http/input.ts';
import { StartupError } from '../kernel/errors.ts';
import type { ApplePaySetup } from './apple-pay.ts';
import { type GooglePaySetup, MERCHANT_PREFIX } from './google-pay.ts';
import type { GoogleRoot } from './google-signatures.ts';
import { isP256, spkiOf } from './p256.ts';
import { SANDBOX_APPLE_ROOT, SANDBOX_GOOGLE_ROOT } from './sandbox-roots.ts';

/** The operator's wallet settings for live mode. Wallets without settings are refused. Texts are file contents. */
export interface WalletsConfig {
  readonly apple_pay?: {
    readonly merchant_identifier: string;
    /** Certificate "Apple Root CA - G3" as PEM. */
    readonly root: string;
    /** Private key of the payment processing certificate, as PEM; absent once the vault has stored it. */
    readonly key?: string;
  };
  readonly google_pay?: {
    readonly recipient_id: string;
    /** Merchant id from Google's console; not needed with a recipient `merchant:<id>`. */
    readonly merchant_id?: string;
    /** Google's file of root signing keys, as JSON. */
    readonly roots: string;
    /** Private key registered with Google, as PEM; absent once the vault has stored it. */
    readonly key?: string;
  };
}

/** Trusted roots and recipient names of a mode. */
export interface WalletSetup {
  readonly apple_pay?: ApplePaySetup;
  readonly google_pay?: GooglePaySetup;
}

export type WalletSetups = Readonly<Record<Mode, WalletSetup>>;

const sandboxAppleRoot = new X509Certificate(SANDBOX_APPLE_ROOT);

const SANDBOX_SETUP: WalletSetup = {
  apple_pay: { merchant_identifier: 'merchant.sandbox.florin', root: sandboxAppleRoot },
  google_pay: {
    recipient_id: 'gateway:florin-sandbox',
    roots: [rootOf(SANDBOX_GOOGLE_ROOT, Number.POSITIVE_INFINITY)],
  },
};

/** Setups of both modes. Throws `StartupError` for roots that are unreadable or reserved for the sandbox. */
export const parseWalletSetups = ({ apple_pay, google_pay }: WalletsConfig = {}): WalletSetups => ({
  sandbox: SANDBOX_SETUP,
  live: {
    ...(apple_pay && { apple_pay: parseAppleSetup(apple_pay) }),
    ...(google_pay && { google_pay: parseGoogleSetup(google_pay) }),
  },
});

function parseAppleSetup({
  merchant_identifier,
  root: pem,
}: NonNullable<WalletsConfig['apple_pay']>): ApplePaySetup {
  const root = parseOrThrow(
    'VAULT_APPLE_PAY_ROOT_FILE must hold a certificate.',
    () => new X509Certificate(pem),
  );
  if (spkiOf(root.publicKey).equals(spkiOf(sandboxAppleRoot.publicKey))) {
    throw new StartupError('VAULT_APPLE_PAY_ROOT_FILE must not hold the root of the sandbox.');
  }
  return { merchant_identifier, root };
}

const GOOGLE_ROOTS_VARIABLE = 'VAULT_GOOGLE_PAY_ROOTS_FILE';
const RECIPIENT_PATTERN = /^(?:gateway|merchant):[\x21-\x7e]{1,100}$/;

function parseGoogleSetup({
  recipient_id,
  merchant_id = merchantOf(recipient_id),
  roots: text,
}: NonNullable<WalletsConfig['google_pay']>): GooglePaySetup {
  if (!RECIPIENT_PATTERN.test(recipient_id)) {
    throw new StartupError('VAULT_GOOGLE_PAY_RECIPIENT must be gateway:<name> or merchant:<id>.');
  }
  const roots = parseOrThrow(`${GOOGLE_ROOTS_VARIABLE} must hold Google's root signing keys.`, () =>
    rootsOf(text),
  );
  if (roots.length === 0)
    throw new StartupError(`${GOOGLE_ROOTS_VARIABLE} must hold a key of ECv2.`);
  if (roots.some(({ key }) => spkiOf(key).toString('base64') === SANDBOX_GOOGLE_ROOT)) {
    throw new StartupError(`${GOOGLE_ROOTS_VARIABLE} must not hold the root of the sandbox.`);
  }
  return { recipient_id, roots, ...(merchant_id && { merchant_id }) };
}

const merchantOf = (recipient_id: string): string | undefined =>
  recipient_id.startsWith(MERCHANT_PREFIX) ? recipient_id.slice(MERCHANT_PREFIX.length) : undefined;

/** ECv2 root keys of the file that Google publishes. */
function rootsOf(text: string): GoogleRoot[] {
  const { keys } = JSON.parse(text) as { keys: unknown[] };
  return keys
    .filter(isObject)
    .filter(({ protocolVersion }) => protocolVersion === 'ECv2')
    .map(({ keyValue, keyExpiration }) =>
      rootOf(String(keyValue), Number(keyExpiration ?? Number.POSITIVE_INFINITY)),
    );
}

function rootOf(spki: string, expires_at: number): GoogleRoot {
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
  if (!isP256(key) || Number.isNaN(expires_at))
    throw new RangeError('The file has an entry that is no root signing key of Google.');
  return { key, expires_at };
}

function parseOrThrow<T>(message: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new StartupError(message, { cause });
  }
}
