import { defineConfig } from 'vitest/config';
import { DEFAULT_SEED } from './packages/dev-env/src/default-seed.ts';
import { LongestFirst } from './packages/dev-env/src/longest-first.ts';

/**
 * Files that replace the timers of their process, or block it for seconds. Servers and pools of other files must not
 * share it: their connections would time out.
 */
const OWN_PROCESS = [
  'scripts/release/make.test.ts',
  'packages/hosted-fields/src/form/{press,visibility}.test.ts',
  'packages/hosted-fields/src/payment/attempts.test.ts',
];

/** Files that also run with the tables of the server in another schema than `public`. */
const IN_ANOTHER_SCHEMA = [
  'packages/server/src/platform/database/transition.test.ts',
  'packages/server/tests/locks/waits.test.ts',
  'packages/server/tests/resources/payment-demands.test.ts',
  'packages/server/tests/scenarios/{captures,due-work}.test.ts',
  'packages/server/tests/security/attacker/database-login.test.ts',
];

/** Files that also run with people in another database than merchants. */
const PEOPLE_APART = ['packages/server/tests/security/{accounts,factors,invitations}.test.ts'];

/** Options of every project. Projects cannot extend the root: its global setup would run once for each. */
const each = {
  setupFiles: ['packages/dev-env/src/seed.ts', 'packages/dev-env/src/second-attempt.ts'],
  // Without a limit of its own a poll gives up after a second, which a busy machine does not keep.
  expect: { requireAssertions: true, poll: { timeout: 60_000 } },
  pool: 'forks',
  // Node loads the modules, as it does in production: Vite's wrapping slows every call across modules.
  experimental: { viteModuleRunner: false },
  // Many times what anything takes: a machine that is slow or busy must not fail a test.
  testTimeout: 240_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
} as const;

export default defineConfig({
  test: {
    globalSetup: [
      'packages/dev-env/src/global-setup.ts',
      'packages/server/tests/openapi/drift-setup.ts',
    ],
    provide: { seed: Number(process.env.FLORIN_TEST_SEED ?? DEFAULT_SEED) },
    sequence: { sequencer: LongestFirst },
    // One more than two cores, as browsers and processes wait at times. Four starve each other.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...each,
          name: 'florin',
          include: ['{packages,e2e,scripts,bench,docs,rehearsals}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...OWN_PROCESS],
          // A worker runs file after file: to load all of Florin again takes longer than many a file's tests.
          isolate: false,
        },
      },
      {
        test: {
          ...each,
          name: 'another schema',
          include: IN_ANOTHER_SCHEMA,
          env: { FLORIN_TEST_SCHEMA: 'cell_a' },
          setupFiles: [...each.setupFiles, 'packages/dev-env/src/another-schema.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...each,
          name: 'people apart',
          include: PEOPLE_APART,
          env: { FLORIN_TEST_PEOPLE_APART: '1' },
          setupFiles: [...each.setupFiles, 'packages/dev-env/src/another-global.ts'],
          isolate: false,
        },
      },
      { test: { ...each, name: 'own process', include: OWN_PROCESS, isolate: true } },
    ],
  },
});
