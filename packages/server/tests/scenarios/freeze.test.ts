import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rehearseFreezes } from '../../../../rehearsals/freeze/run.ts';

// A short path, because socket paths have a length limit.
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp('/tmp/florin-z-');
});
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

it('payments go on by themselves after both vaults were frozen', { timeout: 300_000 }, async () => {
  const freezes = await rehearseFreezes({
    dataDir: join(directory, 'd'),
    postgresUrl: testPostgresUrl(),
    apis: 1,
    workers: 1,
    parts: ['vaults'],
    // Longer than a probe of the vaults waits.
    seconds: 6,
    payments: 4,
    at_once: 100,
    per_second: 10,
  });
  expect(freezes.flatMap(({ differences }) => differences)).toEqual([]);
  expect(new Set(freezes.flatMap(({ outcomes }) => outcomes))).toEqual(new Set(['succeeded']));
  expect(freezes.map(({ outcomes }) => outcomes.length >= 8)).toEqual([true]);
});
