import { expect, it } from 'vitest';
import { rehearseRestore } from './round.ts';

/** A seed whose run has renewals, payments, refunds and captures after the restored time. */
const SEED = 1;

it('charges nobody without a record and no period twice, after a restore and a month', async () => {
  const { differences, counts, recovered } = await rehearseRestore(SEED);
  expect(differences).toEqual([]);
  expect(counts.held).toBe(0);
  expect(recovered).toBeGreaterThan(0);
});
