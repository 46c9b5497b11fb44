import type { Outcome } from './outcome.ts';

/** Statuses of a charge that was paid, whatever happened to it later. */
const paid = new Set<string | null | undefined>(['succeeded', 'disputed', 'reversed']);

/** A subscription is charged once for its first period, for what it asks, and knows whether that was paid. */
export function subscriptions({ records }: Pick<Outcome, 'records'>): string[] {
  const charges = Map.groupBy(records.payments, (row) => row.payment_subscription_id ?? null);
  const known = new Set<string | null>([null, ...records.subscriptions.map(({ id = null }) => id)]);
  const strays = [...charges.keys()].filter((id) => !known.has(id));
  const wrong = records.subscriptions.flatMap((row) => {
    const own = charges.get(row.id ?? null) ?? [];
    const expected = row.confirmed === 'true' ? 1 : 0;
    const isTold = own.some(({ status }) => paid.has(status)) === (row.last_processed_at !== null);
    return [
      ...(own.length === expected ? [] : [`subscription ${row.id} has ${own.length} charges`]),
      ...own
        .filter(({ amount_cents }) => amount_cents !== row.amount_cents)
        .map(({ id }) => `charge ${id} is not for what its subscription asks`),
      ...(isTold ? [] : [`subscription ${row.id} does not know what became of its charge`]),
    ];
  });
  return [...wrong, ...strays.map((id) => `nobody knows of subscription ${id}, which is charged`)];
}
