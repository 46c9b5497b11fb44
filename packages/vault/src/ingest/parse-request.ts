import { currencyNumbers } from '@florin/contract/currencies.ts';
import {
  type IngestRequest,
  JWE_CHARS_MAX,
  WALLET_TOKEN_BYTES_MAX,
  type WalletKind,
  walletKinds,
} from '@florin/contract/protocol/vault.ts';
import {
  type Input,
  TOKEN_CHARS_MAX,
  toInteger,
  toObject,
  toScope,
  toText,
} from '../http/input.ts';
import { VaultRefusal } from '../kernel/errors.ts';

const SID_CHARS_MAX = 512;
const YEAR_MAX = 9999;

/** Parses a request. Throws `bad_request` that names the invalid member. */
export function parseIngestRequest(body: unknown): IngestRequest {
  const input = toObject(body, 'The body');
  return { ...toScope(input), source: parseSource(toObject(input.source, 'source')) };
}

function parseSource(source: Input): IngestRequest['source'] {
  if (source.kind === 'sealed') return parseSealed(source);
  if (source.kind === 'test_token') return parseTestToken(source);
  if (source.kind === 'wallet') return parseWallet(source);
  if (source.kind === 'network_token')
    return { kind: 'network_token', jwe: toTokenJwe(source.jwe) };
  throw new VaultRefusal(
    'bad_request',
    'source.kind must be sealed, wallet, network_token or test_token.',
  );
}

const isWallet = (value: unknown): value is WalletKind =>
  (walletKinds as readonly unknown[]).includes(value);

function parseWallet({ wallet, token, sid, amount, currency }: Input): IngestRequest['source'] {
  if (!isWallet(wallet)) {
    throw new VaultRefusal('bad_request', `source.wallet must be ${walletKinds.join(' or ')}.`);
  }
  return {
    kind: 'wallet',
    wallet,
    token: toWalletToken(token),
    sid: toText(sid, 'source.sid', SID_CHARS_MAX),
    ...(amount !== undefined && {
      amount: toInteger(amount, 'source.amount', 0, Number.MAX_SAFE_INTEGER),
    }),
    ...(currency !== undefined && { currency: toCurrency(currency) }),
  };
}

function toCurrency(value: unknown): string {
  if (typeof value === 'string' && currencyNumbers.has(value)) return value;
  throw new VaultRefusal('bad_request', 'source.currency must be an ISO 4217 code.');
}

function toWalletToken(token: unknown): string {
  if (typeof token === 'string' && Buffer.byteLength(token) > WALLET_TOKEN_BYTES_MAX) {
    throw new VaultRefusal('wallet_token_unreadable', 'The wallet token is too long.');
  }
  return toText(token, 'source.token', WALLET_TOKEN_BYTES_MAX);
}

const parseSealed = ({ pan_jwe, cvv_jwe, sid }: Input): IngestRequest['source'] => ({
  kind: 'sealed',
  pan_jwe: toJwe(pan_jwe, 'pan_jwe'),
  ...(cvv_jwe !== undefined && { cvv_jwe: toJwe(cvv_jwe, 'cvv_jwe') }),
  sid: toText(sid, 'source.sid', SID_CHARS_MAX),
});

function toJwe(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length > JWE_CHARS_MAX) {
    throw new VaultRefusal('sealed_card_unreadable', `${name} is too long for a sealed card.`);
  }
  return toText(value, `source.${name}`, JWE_CHARS_MAX);
}

function toTokenJwe(jwe: unknown): string {
  if (typeof jwe === 'string' && jwe.length > JWE_CHARS_MAX)
    throw new VaultRefusal('network_token_unreadable', 'The network token is too long.');
  return toText(jwe, 'source.jwe', JWE_CHARS_MAX);
}

const parseTestToken = (source: Input): IngestRequest['source'] => ({
  kind: 'test_token',
  pan_token: toText(source.pan_token, 'source.pan_token', TOKEN_CHARS_MAX),
  ...(source.cvv_token !== undefined && {
    cvv_token: toText(source.cvv_token, 'source.cvv_token', TOKEN_CHARS_MAX),
  }),
  expiry_month: toInteger(source.expiry_month, 'source.expiry_month', 1, 12),
  expiry_year: toInteger(source.expiry_year, 'source.expiry_year', 1, YEAR_MAX),
});
