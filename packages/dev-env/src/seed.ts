import fc from 'fast-check';
import { inject } from 'vitest';

// Every property of a run draws from one seed, which the run has printed.
fc.configureGlobal({ seed: inject('seed') });
