import { createPublicKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type {
  CardDescription,
  Mode,
  WalletKeys,
  WalletKind,
} from '@florin/contract/protocol/vault.ts';
import { type AppleTokenTerms, createAppleToken } from '@florin/simulator/wallets/apple-token.ts';
import {
  createGoogleToken,
  type GoogleTokenTerms,
} from '@florin/simulator/wallets/google-token.ts';
import { publicKeyOfPoint } from '@florin/simulator/wallets/keys.ts';
import type { Answer, TestVault } from './vault.ts';

export const NUMBER = '4242424242424242';
export const CRYPTOGRAM = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
const HOUR = 3_600_000;

export const applePayload = {
  applicationPrimaryAccountNumber: NUMBER,
  applicationExpirationDate: '301231',
  currencyCode: '840',
  transactionAmount: 2499,
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: CRYPTOGRAM, eciIndicator: '7' },
};

export const googleDetails = {
  pan: NUMBER,
  expirationMonth: 12,
  expirationYear: 2030,
  authMethod: 'CRYPTOGRAM_3DS',
  cryptogram: CRYPTOGRAM,
  eciIndicator: '05',
};

export type AppleChanges = Partial<AppleTokenTerms>;
export type GoogleChanges = Partial<GoogleTokenTerms>;

export async function fetchWalletKeys(vault: TestVault, mode: Mode = 'sandbox') {
  const { text } = await vault.get('/wallet-keys');
  return (JSON.parse(text) as WalletKeys[]).find((keys) => keys.mode === mode)!;
}

const importSpki = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });

export async function createAppleTerms(
  vault: TestVault,
  changes: AppleChanges = {},
  mode: Mode = 'sandbox',
): Promise<AppleTokenTerms> {
  const { apple_pay } = await fetchWalletKeys(vault, mode);
  return {
    payload: applePayload,
    recipient: importSpki(apple_pay!.public_key),
    merchant_identifier: apple_pay!.merchant_identifier,
    transactionId: randomBytes(32),
    signedAt: new Date(vault.clock.now),
    ...changes,
  };
}

/** An Apple Pay token for a vault's sandbox: valid except for `changes`. */
export const createAppleTokenFor = async (
  vault: TestVault,
  changes?: AppleChanges,
): Promise<object> => createAppleToken(await createAppleTerms(vault, changes));

export const createGooglePayload = (vault: TestVault, details: object = googleDetails) => ({
  gatewayMerchantId: 'merchant-a',
  messageExpiration: String(vault.clock.now + HOUR),
  messageId: randomUUID(),
  paymentMethod: 'CARD',
  paymentMethodDetails: details,
});

export async function createGoogleTerms(
  vault: TestVault,
  changes: GoogleChanges = {},
  mode: Mode = 'sandbox',
): Promise<GoogleTokenTerms> {
  const { google_pay } = await fetchWalletKeys(vault, mode);
  return {
    payload: createGooglePayload(vault),
    recipient: publicKeyOfPoint(Buffer.from(google_pay!.public_key, 'base64')),
    recipient_id: google_pay!.recipient_id,
    keyExpiration: new Date(vault.clock.now + HOUR),
    ...changes,
  };
}

/** A Google Pay token for a vault's sandbox: valid except for `changes`. */
export const createGoogleTokenFor = async (
  vault: TestVault,
  changes?: GoogleChanges,
): Promise<object> => createGoogleToken(await createGoogleTerms(vault, changes));

export interface SubmitOptions {
  readonly merchant_id?: string;
  readonly mode?: Mode;
  readonly sid?: string;
  readonly amount?: number;
  readonly currency?: string;
}

/** Submits a token, by default in a new form session. */
export const submitToken = (
  vault: TestVault,
  wallet: WalletKind,
  token: object | string,
  {
    merchant_id = 'merchant-a',
    mode = 'sandbox',
    sid = randomUUID(),
    amount,
    currency,
  }: SubmitOptions = {},
): Promise<Answer> =>
  vault.post('/ingest', {
    merchant_id,
    mode,
    source: {
      kind: 'wallet',
      wallet,
      token: typeof token === 'string' ? token : JSON.stringify(token),
      sid,
      amount,
      currency,
    },
  });

export async function ingestWallet(
  vault: TestVault,
  wallet: WalletKind,
  token: object | string,
  options: SubmitOptions = {},
): Promise<CardDescription> {
  const { status, text } = await submitToken(vault, wallet, token, options);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as CardDescription;
}
