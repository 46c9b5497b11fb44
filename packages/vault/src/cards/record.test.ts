import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openRecord, type RecordRef, sealRecord } from './record.ts';

const kek = { version: 1, key: randomBytes(32) };
const ref: RecordRef = { merchant_id: 'm', mode: 'live', token: 'pan_1', purpose: 'pan' };
const DIGITS = '4242424242424242';

test('a record opens to the sealed content', () => {
  expect(openRecord(kek, ref, sealRecord(kek, ref, DIGITS))).toBe(DIGITS);
});

test('equal digits never give equal records', () => {
  const [firstRecord, secondRecord] = [sealRecord(kek, ref, DIGITS), sealRecord(kek, ref, DIGITS)];
  expect(firstRecord.ciphertext.equals(secondRecord.ciphertext)).toBe(false);
  expect(firstRecord.wrapped_dek.equals(secondRecord.wrapped_dek)).toBe(false);
});

describe('a record does not open', () => {
  test.each<[string, Partial<RecordRef>]>([
    ['for another merchant', { merchant_id: 'n' }],
    ['in another mode', { mode: 'sandbox' }],
    ['under another token', { token: 'pan_2' }],
    ['for another purpose', { purpose: 'cvv' }],
  ])('%s', (_name, change) => {
    const record = sealRecord(kek, ref, DIGITS);
    expect(() => openRecord(kek, { ...ref, ...change }, record)).toThrow();
  });

  test('under another key', () => {
    const otherKek = { version: 1, key: randomBytes(32) };
    expect(() => openRecord(otherKek, ref, sealRecord(kek, ref, DIGITS))).toThrow();
  });

  test('with the ciphertext of another record of the same card', () => {
    const { ciphertext } = sealRecord(kek, ref, DIGITS);
    expect(() => openRecord(kek, ref, { ...sealRecord(kek, ref, DIGITS), ciphertext })).toThrow();
  });

  test.each(['wrapped_dek', 'ciphertext'] as const)('with any byte of its %s changed', (field) => {
    const record = sealRecord(kek, ref, DIGITS);
    for (const index of record[field].keys()) {
      const changedBytes = Buffer.from(record[field]);
      changedBytes.writeUInt8(changedBytes.readUInt8(index) ^ 1, index);
      expect(() => openRecord(kek, ref, { ...record, [field]: changedBytes })).toThrow();
    }
  });
});
