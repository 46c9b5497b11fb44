import { randomBytes } from 'node:crypto';
import type { Scope } from '../kernel/scope.ts';
import { aadOf, KEY_BYTES, openBytes, sealBytes } from '../keys/aead.ts';
import type { Kek } from '../keys/keks.ts';

/** Purpose of a token. `cvv` and `cryptogram` are single-use, and encrypted with epoch keys. */
export type Purpose = 'pan' | 'cvv' | 'cryptogram';

/** Context of a record's encryption. With another merchant, mode, token or purpose it cannot be decrypted. */
export interface RecordRef extends Scope {
  readonly token: string;
  readonly purpose: Purpose;
}

/** A value encrypted with its own data key, and this data key encrypted with the merchant's key. */
export interface SealedRecord {
  readonly kek_version: number;
  readonly wrapped_dek: Buffer;
  readonly ciphertext: Buffer;
}

const bindingOf = ({ merchant_id, mode, token, purpose }: RecordRef): Buffer =>
  aadOf(merchant_id, mode, token, purpose);

export function sealRecord(kek: Kek, ref: RecordRef, digits: string): SealedRecord {
  const binding = bindingOf(ref);
  const dek = randomBytes(KEY_BYTES);
  const plaintext = Buffer.from(digits);
  const ciphertext = sealBytes(dek, plaintext, binding);
  const wrapped_dek = sealBytes(kek.key, dek, binding);
  dek.fill(0);
  plaintext.fill(0);
  return { kek_version: kek.version, wrapped_dek, ciphertext };
}

/** Decrypts a value. Throws if `ref` or `kek` differ from those of the encryption. */
export function openRecord(kek: Kek, ref: RecordRef, record: SealedRecord): string {
  const binding = bindingOf(ref);
  const dek = openBytes(kek.key, record.wrapped_dek, binding);
  const plaintext = openBytes(dek, record.ciphertext, binding);
  const digits = plaintext.toString('latin1');
  dek.fill(0);
  plaintext.fill(0);
  return digits;
}

/** Encrypts the data key with the merchant's next key, without decrypting the value. Throws like `openRecord`. */
export function rewrapDek(oldKek: Kek, newKek: Kek, ref: RecordRef, wrapped_dek: Buffer): Buffer {
  const binding = bindingOf(ref);
  const dek = openBytes(oldKek.key, wrapped_dek, binding);
  const rewrappedDek = sealBytes(newKek.key, dek, binding);
  dek.fill(0);
  return rewrappedDek;
}

/** Decrypts the data key of a number that leaves for another vault. Throws like `openRecord`. */
export const releaseDek = (kek: Kek, ref: RecordRef, wrapped_dek: Buffer): Buffer =>
  openBytes(kek.key, wrapped_dek, bindingOf(ref));

/** A number from another vault, with its data key. */
interface ArrivedRecord {
  readonly dek: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Encrypts the data key of another vault's number with the merchant's key here. Opens the number, to compare it with the
 * digits that the card shows. Throws like `openRecord`.
 */
export function acceptDek(
  kek: Kek,
  ref: RecordRef,
  { dek, ciphertext }: ArrivedRecord,
  { bin, last_four }: { readonly bin: string; readonly last_four: string },
): { readonly wrapped_dek: Buffer; readonly digits_match: boolean } {
  const binding = bindingOf(ref);
  const plaintext = openBytes(dek, ciphertext, binding);
  const digits_match =
    plaintext.subarray(0, bin.length).equals(Buffer.from(bin)) &&
    plaintext.subarray(-last_four.length).equals(Buffer.from(last_four));
  plaintext.fill(0);
  const wrapped_dek = sealBytes(kek.key, dek, binding);
  dek.fill(0);
  return { wrapped_dek, digits_match };
}
