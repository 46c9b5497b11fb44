import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

const SEED_LIMIT = 2 ** 31;

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: [
      'packages/dev-env/src/global-setup.ts',
      'packages/server/tests/openapi/drift-setup.ts',
    ],
    setupFiles: ['packages/dev-env/src/seed.ts'],
    provide: { seed: Number(process.env.FLORIN_TEST_SEED ?? randomInt(SEED_LIMIT)) },
    pool: 'forks',
    // More than two cores: tests of a browser and of processes wait a third of their time.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
