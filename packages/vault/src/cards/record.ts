import { randomBytes } from 'node:crypto';
import type { Scope } from '../kernel/scope.ts';
import { aadOf, KEY_BYTES, openBytes, sealBytes } from '../keys/aead.ts';
import type { Kek } from '../keys/keks.ts';

/** What a token stands for. The last two are used once and lie under the keys of their epoch. */
export type Purpose = 'pan' | 'cvv' | 'cryptogram';

/** What a record is bound to: moved to another merchant, mode, token or use, it cannot be opened. */
export interface RecordRef extends Scope {
  readonly token: string;
  readonly purpose: Purpose;
}

/** A value under its own data key, and that key under the merchant's. */
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
  const plain = Buffer.from(digits);
  const ciphertext = sealBytes(dek, plain, binding);
  const wrapped_dek = sealBytes(kek.key, dek, binding);
  dek.fill(0);
  plain.fill(0);
  return { kek_version: kek.version, wrapped_dek, ciphertext };
}

/** Throws where `ref` or `kek` are not the ones the record was sealed with. */
export function openRecord(kek: Kek, ref: RecordRef, record: SealedRecord): string {
  const binding = bindingOf(ref);
  const dek = openBytes(kek.key, record.wrapped_dek, binding);
  const plain = openBytes(dek, record.ciphertext, binding);
  const digits = plain.toString('latin1');
  dek.fill(0);
  plain.fill(0);
  return digits;
}

/** The data key under the next key of its merchant; the value stays sealed. Throws as `openRecord` does. */
export function rewrapDek(from: Kek, to: Kek, ref: RecordRef, wrapped_dek: Buffer): Buffer {
  const binding = bindingOf(ref);
  const dek = openBytes(from.key, wrapped_dek, binding);
  const rewrapped = sealBytes(to.key, dek, binding);
  dek.fill(0);
  return rewrapped;
}
