import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROTATIONS } from '../../../../rehearsals/keys/rotations.ts';
import { isGood, rehearseKeys } from '../../../../rehearsals/keys/run.ts';

// A short path, because socket paths have a length limit.
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp('/tmp/florin-k-');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const SAMPLE = ['root key, vault killed', 'secret of a webhook'];

it('keys are rotated under load, with a crash of the vault, and stored cards stay chargeable', {
  timeout: 300_000,
}, async () => {
  const report = await rehearseKeys({
    dataDir: join(directory, 'd'),
    postgresUrl: testPostgresUrl(),
    apis: 1,
    workers: 1,
    rotations: ROTATIONS.filter(({ name }) => SAMPLE.includes(name)),
    at_once: 2,
    per_second: 8,
    activation_ms: 0,
  });
  expect(report).toMatchObject({
    stored_card_charges: SAMPLE.length,
    webhooks: { forged: 0 },
    errors: [],
    differences: [],
  });
  expect(report.rotations.map(({ name }) => name)).toEqual(SAMPLE);
  expect(report.webhooks.newest).toBeGreaterThan(0);
  expect(isGood(report)).toBe(true);
});
