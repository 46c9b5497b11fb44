import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rehearseCertificates } from '../../../../rehearsals/certificates/run.ts';

// A short path, because socket paths have a length limit.
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp('/tmp/florin-c-');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('certificates of servers and vault are renewed under load, and no request fails', {
  timeout: 300_000,
}, async () => {
  const { phases, ...report } = await rehearseCertificates({
    dataDir: join(directory, 'd'),
    postgresUrl: testPostgresUrl(),
    apis: 1,
    workers: 1,
    phases: ['renew in time'],
    at_once: 4,
    per_second: 10,
    lifetime_ms: 0,
    expired_ms: 0,
  });
  expect(phases).toEqual([
    expect.objectContaining({
      failures: [],
      logs: expect.arrayContaining([
        'api: certificates for vaults were read again',
        'vault: tls_files_loaded',
        'worker: certificates for vaults were read again',
      ]),
    }),
  ]);
  expect(report).toMatchObject({ restarted: [], errors: [], differences: [] });
  expect(report.payments).toBeGreaterThan(0);
  expect(report.succeeded).toBe(report.payments);
});
