import type { Row } from '../../platform/database/row.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { endHold } from '../payments/hold.ts';
import type { LearningRun } from './run.ts';

/** Ends a hold that was released after the restored time. Returns why a person must decide instead. */
export async function endKnownHold(run: LearningRun, attempt: Row): Promise<string | undefined> {
  const { services, counts, is_dry } = run;
  return services.db.transaction(async (tx) => {
    const [before] = (await lockRows(tx, 'payment_demands', [paymentOf(attempt)])).values();
    if (before?.status === 'processing' && attempt.status === 'approved')
      return 'its account released it, and Florin has a capture of it without an outcome';
    if (before?.status !== 'authorised') return undefined;
    counts.ended += 1;
    if (is_dry) return undefined;
    const now = services.clock.now();
    const change = { before, ...endHold(before, 'requested', now) };
    await applyDemandDecisions(services, tx, 'payment_demands', now, [change]);
    return undefined;
  });
}
