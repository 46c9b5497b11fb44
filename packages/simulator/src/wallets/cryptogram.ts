import { createHmac, randomBytes } from 'node:crypto';

/** Public on purpose, like the key of the bank's cryptograms. */
const KEY = 'florin sandbox token service';
const NONCE_BYTES = 8;
const TAG_BYTES = 12;

/** Data that a cryptogram is bound to. */
export interface PurchaseByDevice {
  readonly number: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** A device's proof of a purchase (TAVV): 20 bytes; the first ones make it unique. */
export function walletCryptogram(
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

/** Whether a cryptogram is for this purchase. A cryptogram without an amount counts for any amount. */
export function walletCryptogramHolds(cryptogram: string, purchase: PurchaseByDevice): boolean {
  const nonce = Buffer.from(cryptogram, 'base64').subarray(0, NONCE_BYTES);
  return [purchase.amount, 0].some(
    (amount) => walletCryptogram({ ...purchase, amount }, nonce) === cryptogram,
  );
}
