import { createHmac, randomBytes } from 'node:crypto';

/** Key of the cryptograms. Public on purpose, like the key of the bank's cryptograms in `derive.ts`. */
const KEY = 'florin sandbox token service';
const NONCE_BYTES = 8;
const TAG_BYTES = 12;

/** Purchase data that the cryptogram is bound to. */
export interface PurchaseByDevice {
  readonly number: string;
  /** Amount in minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** Cryptogram of the device for one purchase (TAVV): 20 bytes, of which the first `NONCE_BYTES` make it unique. */
export function createWalletCryptogram(
  { number, amount, currency }: PurchaseByDevice,
  nonce: Buffer = randomBytes(NONCE_BYTES),
): string {
  const tag = createHmac('sha256', KEY)
    .update(nonce)
    .update([number, amount, currency].join('|'))
    .digest()
    .subarray(0, TAG_BYTES);
  return Buffer.concat([nonce, tag]).toString('base64');
}

/** Whether a cryptogram was made for this purchase. A cryptogram without an amount is valid for any amount. */
export function isWalletCryptogramValid(cryptogram: string, purchase: PurchaseByDevice): boolean {
  const nonce = Buffer.from(cryptogram, 'base64').subarray(0, NONCE_BYTES);
  return [purchase.amount, 0].some(
    (amount) => createWalletCryptogram({ ...purchase, amount }, nonce) === cryptogram,
  );
}
