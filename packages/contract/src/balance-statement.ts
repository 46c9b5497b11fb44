/** Sums of a balance in minor units, as the interface serves them. */
export interface BalanceSums {
  readonly captured_cents: number;
  readonly settled_cents: number;
  readonly fees_cents: number;
  readonly refunded_cents: number;
  readonly reserved_cents: number;
  readonly lost_cents: number;
  readonly disputed_cents: number;
  readonly paid_out_cents: number;
}

/** Reasons of a balance, in the order of a statement. */
export const balanceComponents = ['payments', 'fees', 'refunds', 'disputes', 'payouts'] as const;
export type BalanceComponent = (typeof balanceComponents)[number];

/** One line of a statement: signed minor units. `total` is the sum of the other two. */
export interface StatementLine {
  readonly component: BalanceComponent;
  readonly available_cents: number;
  readonly unsettled_cents: number;
  readonly total_cents: number;
}

/**
 * The lines that make a balance. Their sums are `available_cents`, `unsettled_cents` and `owed_cents` of the balance.
 * Refunds in progress and open disputes count like final ones.
 */
export function statementOf(sums: BalanceSums): StatementLine[] {
  const settled: Readonly<Record<BalanceComponent, number>> = {
    payments: sums.settled_cents,
    fees: -sums.fees_cents,
    refunds: -(sums.refunded_cents + sums.reserved_cents),
    disputes: -(sums.lost_cents + sums.disputed_cents),
    payouts: -sums.paid_out_cents,
  };
  return balanceComponents.map((component) => {
    const available_cents = settled[component];
    const unsettled_cents = component === 'payments' ? sums.captured_cents - sums.settled_cents : 0;
    return {
      component,
      available_cents: available_cents + 0,
      unsettled_cents,
      total_cents: available_cents + unsettled_cents,
    };
  });
}
