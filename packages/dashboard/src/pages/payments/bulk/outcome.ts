import { type PlannedRefund, sumsOf } from './plan.ts';
import type { RefundResult } from './use-refunds.ts';

/** Payments with the same outcome of a run, and what of them was to be refunded. */
export interface OutcomePart {
  readonly count: number;
  readonly sums: ReturnType<typeof sumsOf>;
}

/** Refunds of a run by their outcome. */
export interface RunOutcome {
  /** Accepted. The bank carries them out later. */
  readonly sent: OutcomePart;
  /** Certainly not refunded. */
  readonly kept: OutcomePart;
  /** A request had no response: the refund may exist. */
  readonly unsure: OutcomePart;
  /** Never requested, because the person stopped the run. */
  readonly unsent: OutcomePart;
}

/** Sorts the refunds of a run by their results. */
export function runOutcomeOf(
  refunds: readonly PlannedRefund[],
  results: ReadonlyMap<string, RefundResult>,
): RunOutcome {
  const partOf = (kind: keyof RunOutcome): OutcomePart => {
    const those = refunds.filter(({ payment }) => kindOf(results.get(payment.id)) === kind);
    return { count: those.length, sums: sumsOf(those) };
  };
  return {
    sent: partOf('sent'),
    kept: partOf('kept'),
    unsure: partOf('unsure'),
    unsent: partOf('unsent'),
  };
}

function kindOf(result: RefundResult | undefined): keyof RunOutcome {
  if (!result) return 'unsent';
  if (result.isDone) return 'sent';
  return result.isRefused ? 'kept' : 'unsure';
}
