import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rehearseProcesses } from '../../../../rehearsals/processes/run.ts';

// A short path, because socket paths have a length limit.
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp('/tmp/florin-p-');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('two apis, two workers and two vaults lose no payment when one of each is killed', {
  timeout: 300_000,
}, async () => {
  const report = await rehearseProcesses({
    dataDir: join(directory, 'd'),
    postgresUrl: testPostgresUrl(),
    payments: 24,
    kills: 3,
    at_once: 4,
  });
  expect(report.differences).toEqual([]);
  expect(report.kills).toEqual(['api 1', 'worker 1', 'vault 1']);
  expect(report.payments).toBe(24);
  expect(report.succeeded + report.failures.length).toBe(24);
});
