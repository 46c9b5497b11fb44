import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { expect, it } from 'vitest';
import { rehearseFreezes } from '../../../../rehearsals/freeze/run.ts';

it('payments go on by themselves after vaults and database were frozen', {
  timeout: 300_000,
}, async () => {
  await using cleanup = new AsyncDisposableStack();
  // A short path, because socket paths have a length limit.
  const directory = await mkdtemp('/tmp/florin-z-');
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = cleanup.use(await startPostgres({ dataDir: directory, durable: false }));
  const freezes = await rehearseFreezes({
    dataDir: join(directory, 'd'),
    postgres,
    apis: 1,
    workers: 1,
    parts: ['vaults', 'database'],
    // Longer than a probe of the vaults waits.
    seconds: 6,
    payments: 4,
    at_once: 100,
    per_second: 10,
  });
  expect(freezes.flatMap(({ differences }) => differences)).toEqual([]);
  expect(new Set(freezes.flatMap(({ outcomes }) => outcomes))).toEqual(new Set(['succeeded']));
  for (const { outcomes } of freezes) expect(outcomes.length).toBeGreaterThanOrEqual(8);
});
