import fc from 'fast-check';
import { expect, inject } from 'vitest';

// All property tests use one seed, which the run prints.
fc.configureGlobal({
  seed: inject('seed'),
  // Counts as an assertion, because every test must have one.
  reporter: (run) => expect(run.failed, run.failed ? fc.defaultReportMessage(run) : '').toBe(false),
});
