import { defineConfig } from 'vitest/config';
import { DEFAULT_SEED } from './packages/dev-env/src/default-seed.ts';
import { LongestFirst } from './packages/dev-env/src/longest-first.ts';

export default defineConfig({
  test: {
    include: ['{packages,e2e,scripts,bench,docs}/**/*.test.ts'],
    globalSetup: [
      'packages/dev-env/src/global-setup.ts',
      'packages/server/tests/openapi/drift-setup.ts',
    ],
    setupFiles: ['packages/dev-env/src/seed.ts'],
    provide: { seed: Number(process.env.FLORIN_TEST_SEED ?? DEFAULT_SEED) },
    // Without a limit of its own a poll gives up after a second, which a busy machine does not keep.
    expect: { requireAssertions: true, poll: { timeout: 15_000 } },
    pool: 'forks',
    // Node loads the modules, as it does in production: Vite's wrapping slows every call across modules.
    experimental: { viteModuleRunner: false },
    // A worker runs file after file: to load all of Florin again takes longer than many a file's tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // One more than two cores, as browsers and processes wait at times. Four starve each other.
    maxWorkers: 3,
    // Several times what anything takes here: a machine with other work must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
