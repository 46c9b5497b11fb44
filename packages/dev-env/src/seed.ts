import fc from 'fast-check';
import { expect, inject } from 'vitest';

// Every property of a run draws from one seed, which the run has printed.
fc.configureGlobal({
  seed: inject('seed'),
  // Counts as an assertion, as every test must have one.
  reporter: (run) => expect(run.failed, run.failed ? fc.defaultReportMessage(run) : '').toBe(false),
});
