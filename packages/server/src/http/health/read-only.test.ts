import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/db.ts';
import { createDatabaseHealth } from '../../platform/database/health.ts';
import { findWriteFault } from './health.ts';

it('a database that was made read-only is the fault, although reads succeed', async () => {
  await using empty = await emptyDatabase();
  const health = createDatabaseHealth({ monotonic_ms: () => 0 });
  await using db = openDatabase({ url: empty.url, connections_max: 1, health });
  const setReadOnly = (value: 'on' | 'off') =>
    db.query(`set default_transaction_read_only = ${value}`, []);
  expect(await findWriteFault(db, health)).toBeUndefined();
  await setReadOnly('on');
  expect(await findWriteFault(db, health)).toBe('read_only');
  await setReadOnly('off');
  expect(await findWriteFault(db, health)).toBeUndefined();
});
