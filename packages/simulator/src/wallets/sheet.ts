import { randomBytes, randomUUID } from 'node:crypto';
import { type SandboxCard, sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import { currencyNumbers } from '@florin/contract/currencies.ts';
import {
  type WalletSheetAnswer,
  type WalletSheetRequest,
  walletSheetPaths,
} from '@florin/contract/protocol/network.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Network } from '../network.ts';
import { BadRequest, parseWalletSheet } from '../parse.ts';
import { indicatorOf } from '../threeds/indicators.ts';
import { createAppleToken } from './apple-token.ts';
import { createWalletCryptogram } from './cryptogram.ts';
import { createGoogleToken } from './google-token.ts';
import { publicKeyOf, publicKeyOfPoint } from './keys.ts';

/** Returns the wallet whose token endpoint has this path; undefined for other paths. */
export const walletAt = (path: string): WalletKind | undefined =>
  (Object.keys(walletSheetPaths) as WalletKind[]).find(
    (wallet) => walletSheetPaths[wallet] === path,
  );

/** Endpoint of the wallet sheets: creates the token for the chosen card. Throws `BadRequest` for an invalid body. */
export const createWalletSheet =
  (now: () => Date): Network =>
  async (_method, path, body) => ({
    status: 200,
    body: answerSheet(path, parseWalletSheet(body), now()),
  });

function answerSheet(path: string, request: WalletSheetRequest, now: Date): WalletSheetAnswer {
  const card = sandboxCardByToken(request.card);
  if (!card) throw new BadRequest('card must be the name of a sandbox card.');
  const createToken = walletAt(path) === 'apple_pay' ? createApplePayToken : createGooglePayToken;
  return { token: JSON.stringify(createToken(request, card, now)) };
}

/** ISO 4217 number for "no currency". */
const NO_CURRENCY = '999';

/** Lifetime of a Google Pay token, in milliseconds. */
const GOOGLE_LIFE_MS = 60 * 60 * 1000;
const KEY_LIFE_MS = 24 * 60 * 60 * 1000;
const EXPIRY_MONTH = 12;
/** Years until the wallet's cards expire. */
const EXPIRY_YEARS = 3;
const TRANSACTION_BYTES = 32;

const expiryYear = (now: Date): number => now.getUTCFullYear() + EXPIRY_YEARS;

const proofOf = ({ amount, currency }: WalletSheetRequest, { number }: SandboxCard) => ({
  cryptogram: createWalletCryptogram({ number, amount, currency }),
  eciIndicator: indicatorOf(number, 'Y'),
});

function createApplePayToken(request: WalletSheetRequest, card: SandboxCard, now: Date): object {
  const { merchant_identifier, amount, currency, kind } = request;
  if (merchant_identifier === undefined) throw new BadRequest('merchant_identifier is missing.');
  if (kind !== 'cryptogram') throw new BadRequest('kind must be cryptogram: Apple has no other.');
  const { cryptogram, eciIndicator } = proofOf(request, card);
  return createAppleToken({
    payload: {
      applicationPrimaryAccountNumber: card.number,
      applicationExpirationDate: `${String(expiryYear(now)).slice(2)}${EXPIRY_MONTH}31`,
      currencyCode: currencyNumbers.get(currency) ?? NO_CURRENCY,
      transactionAmount: amount,
      deviceManufacturerIdentifier: '000000000000',
      paymentDataType: '3DSecure',
      paymentData: { onlinePaymentCryptogram: cryptogram, eciIndicator },
    },
    recipient: readPublicKey(() => publicKeyOf(Buffer.from(request.public_key, 'base64'))),
    merchant_identifier,
    transactionId: randomBytes(TRANSACTION_BYTES),
    signedAt: now,
  });
}

function createGooglePayToken(request: WalletSheetRequest, card: SandboxCard, now: Date): object {
  const { recipient_id, gateway_merchant_id, kind } = request;
  if (recipient_id === undefined) throw new BadRequest('recipient_id is missing.');
  const details = {
    pan: card.number,
    expirationMonth: EXPIRY_MONTH,
    expirationYear: expiryYear(now),
    ...(kind === 'cryptogram'
      ? { authMethod: 'CRYPTOGRAM_3DS', ...proofOf(request, card) }
      : { authMethod: 'PAN_ONLY' }),
  };
  return createGoogleToken({
    payload: {
      paymentMethod: 'CARD',
      paymentMethodDetails: details,
      messageId: randomUUID(),
      messageExpiration: String(now.getTime() + GOOGLE_LIFE_MS),
      ...(gateway_merchant_id && { gatewayMerchantId: gateway_merchant_id }),
    },
    recipient: readPublicKey(() => publicKeyOfPoint(Buffer.from(request.public_key, 'base64'))),
    recipient_id,
    keyExpiration: new Date(now.getTime() + KEY_LIFE_MS),
  });
}

/** Omits the cause on purpose, because it adds no information. */
function readPublicKey<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new BadRequest('public_key must be a key of P-256.');
  }
}
