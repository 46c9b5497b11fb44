import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../src/kernel/logger.ts';
import { CVV_LIFE_MS, createCvvEpochs, EPOCH_MS } from '../src/keys/cvv-epochs.ts';
import { openKms } from '../src/keys/kms/open-kms.ts';
import { openRootKeys } from '../src/keys/root-keys.ts';
import { openDatabase } from '../src/store/db.ts';
import { migrate } from '../src/store/migrate.ts';
import { createTestDatabase } from './support/postgres.ts';

test('#21 memory drops the key of an epoch after two epochs, and keeps newer ones', async () => {
  const database = await createTestDatabase();
  const tempDir = mkdtempSync(join(tmpdir(), 'vault-'));
  const time = { ms: Date.parse('2026-11-21T12:00:00Z') };
  const clock = () => time.ms;
  const db = await openDatabase(database.url, createLog('silent'));
  await migrate(db);
  const kms = await openKms({ provider: 'file' }, tempDir);
  const rootKeys = await openRootKeys({ db, kms, clock });
  const epochs = createCvvEpochs({ db, rootKeys, clock });
  const isWiped = (key: Buffer): boolean => key.every((byte) => byte === 0);

  const firstEpoch = await epochs.current('sandbox');
  time.ms += EPOCH_MS;
  const secondEpoch = await epochs.current('sandbox');
  expect(secondEpoch.id).not.toBe(firstEpoch.id);
  await epochs.sweep();
  expect([firstEpoch, secondEpoch].map(({ key }) => isWiped(key))).toEqual([false, false]);
  time.ms += CVV_LIFE_MS;
  await epochs.sweep();
  expect([firstEpoch, secondEpoch].map(({ key }) => isWiped(key))).toEqual([true, false]);

  await kms[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
  await database.drop();
  rmSync(tempDir, { recursive: true });
});
