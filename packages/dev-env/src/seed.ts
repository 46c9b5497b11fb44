import fc from 'fast-check';
import { expect, inject } from 'vitest';

// All properties draw from one seed, which the run has printed.
fc.configureGlobal({
  seed: inject('seed'),
  // Counts as an assertion, which every test must have.
  reporter: (run) => expect(run.failed, run.failed ? fc.defaultReportMessage(run) : '').toBe(false),
});
