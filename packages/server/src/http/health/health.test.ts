import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startSilentDatabase } from '@florin/dev-env/silent-database.ts';
import { expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/db.ts';
import { createDatabaseHealth } from '../../platform/database/health.ts';
import { findWriteFault } from './health.ts';

const PROBE_MS = 200;
const LIMITS = { statement_timeout_ms: 500, silence_margin_ms: 100 };

it('a probe names a busy pool, and a database that does not answer', async () => {
  await using empty = await emptyDatabase();
  await using silent = await startSilentDatabase(empty.url);
  const health = createDatabaseHealth({ monotonic_ms: () => 0 });
  await using db = openDatabase({ url: silent.url, connections_max: 1, health, ...LIMITS });
  const { promise, resolve } = Promise.withResolvers<void>();
  const busyTransaction = db.transaction(() => promise);
  const busyFault = await findWriteFault(db, health, PROBE_MS);
  resolve();
  await busyTransaction;
  await db.query('select 1', []);
  silent.silence();
  const silentFault = await findWriteFault(db, health, PROBE_MS);
  expect([busyFault, silentFault]).toEqual(['pool_exhausted', 'silent']);
});
