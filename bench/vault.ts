import { randomUUID } from 'node:crypto';
import { openRecord, sealRecord } from '@florin/vault/cards/record.ts';
import { storeCard } from '@florin/vault/cards/store-card.ts';
import { createCvvEpochs } from '@florin/vault/keys/cvv-epochs.ts';
import { createFingerprints } from '@florin/vault/keys/fingerprints.ts';
import { openDatabase } from '@florin/vault/store/db.ts';
import { openVaultKeys } from './rewrap.ts';

const MS_PER_SECOND = 1_000;
const MICROS_PER_MS = 1_000;
/** Records between two clock readings. */
const SEALED_AT_A_TIME = 500;

const newScope = () => ({ merchant_id: randomUUID(), mode: 'live' }) as const;

/** A different, unused card number for each index. */
const numberOf = (at: number): string => `400000${String(at).padStart(10, '0')}`;

/** The p99 in milliseconds of encrypting and storing a card with its verification value, in sequence. */
export async function measureStoreP99(
  databaseUrl: string,
  dataDir: string,
  seconds: number,
): Promise<number> {
  await using db = await openDatabase(databaseUrl, () => {});
  const keys = await openVaultKeys(db, dataDir);
  const deps = {
    ...keys,
    cvvEpochs: createCvvEpochs(keys),
    fingerprints: createFingerprints(keys),
  };
  const scope = newScope();
  const durations: number[] = [];
  const deadline = performance.now() + seconds * MS_PER_SECOND;
  for (let at = 0; performance.now() < deadline; at++) {
    const startedAt = performance.now();
    await storeCard(deps, scope, {
      number: numberOf(at),
      expiry_month: 12,
      expiry_year: 2031,
      cvv: { text: '123' },
    });
    durations.push(performance.now() - startedAt);
  }
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? Number.NaN;
}

/** Microseconds to encrypt and decrypt a record, without the database. */
export async function measureSealTime(
  databaseUrl: string,
  dataDir: string,
  seconds: number,
): Promise<number> {
  await using db = await openDatabase(databaseUrl, () => {});
  const { keks } = await openVaultKeys(db, dataDir);
  const scope = newScope();
  const kek = await keks.current(scope);
  const startedAt = performance.now();
  const deadline = startedAt + seconds * MS_PER_SECOND;
  let sealedCount = 0;
  while (performance.now() < deadline) {
    for (let at = 0; at < SEALED_AT_A_TIME; at++) {
      const ref = { ...scope, token: `pan_${at}`, purpose: 'pan' } as const;
      openRecord(kek, ref, sealRecord(kek, ref, numberOf(at)));
    }
    sealedCount += SEALED_AT_A_TIME;
  }
  return ((performance.now() - startedAt) / sealedCount) * MICROS_PER_MS;
}
