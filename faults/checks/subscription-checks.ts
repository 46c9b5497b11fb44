import type { Outcome, Row } from '../outcome.ts';

/** Statuses of a charge that was paid, including statuses after the payment. */
const paidStatuses = new Set<string | null | undefined>(['succeeded', 'disputed', 'reversed']);

type RecordsOnly = Pick<Outcome, 'records'>;

/**
 * Checks that a subscription is charged once per period, for its amount, and records whether the charge was
 * paid.
 */
export function checkSubscriptions({ records }: RecordsOnly): string[] {
  const charges = Map.groupBy(records.payments, (row) => row.payment_subscription_id ?? null);
  const periods = Map.groupBy(records.periods, (row) => row.payment_subscription_id ?? null);
  const knownIds = new Set<string | null>([
    null,
    ...records.subscriptions.map(({ id = null }) => id),
  ]);
  const unexpectedIds = [...charges.keys()].filter((id) => !knownIds.has(id));
  const differences = records.subscriptions.flatMap((row) => {
    const subscriptionCharges = charges.get(row.id ?? null) ?? [];
    const periodCount = periods.get(row.id ?? null)?.length ?? 0;
    const expected = row.confirmed === 'true' ? Math.max(periodCount, 1) : 0;
    const knowsPayment =
      subscriptionCharges.some(({ status }) => paidStatuses.has(status)) ===
      (row.last_processed_at !== null);
    return [
      ...(subscriptionCharges.length === expected
        ? []
        : [`subscription ${row.id} has ${subscriptionCharges.length} charges`]),
      ...subscriptionCharges
        .filter(({ amount_cents }) => amount_cents !== row.amount_cents)
        .map(({ id }) => `charge ${id} is not for what its subscription asks`),
      ...(knowsPayment ? [] : [`subscription ${row.id} does not know the outcome of its charge`]),
    ];
  });
  return [
    ...differences,
    ...unexpectedIds.map((id) => `no response named subscription ${id}, which is charged`),
  ];
}

/**
 * Checks that periods of a subscription are contiguous, each with its own charge, up to the time of the
 * payer's clock.
 */
export function checkRenewals({ records }: RecordsOnly): string[] {
  const periods = Map.groupBy(records.periods, (row) => row.payment_subscription_id ?? null);
  const clocks = new Map(records.clocks.map((clock) => [clock.customer_id, clock]));
  return records.subscriptions.flatMap((row) => {
    const subscriptionPeriods = (periods.get(row.id ?? null) ?? []).toSorted(compareByStart);
    return [
      ...gapsIn(subscriptionPeriods).map(
        (start) => `subscription ${row.id} has a gap before ${start}`,
      ),
      ...sharedChargesIn(subscriptionPeriods).map(
        (id) => `the period ${id} has no charge of its own`,
      ),
      ...(isBehind(row, subscriptionPeriods, clocks.get(row.payer_id ?? null))
        ? [`subscription ${row.id} was not charged up to the time of its payer`]
        : []),
    ];
  });
}

/** Sorts by start. PostgreSQL's texts for instants in one time zone sort by time. */
const compareByStart = (a: Row, b: Row): number =>
  String(a.start_at) < String(b.start_at) ? -1 : 1;

/** Starts of periods that differ from the previous period's end. */
const gapsIn = (periods: readonly Row[]): (string | null | undefined)[] =>
  periods
    .filter(({ start_at }, at) => at > 0 && start_at !== periods[at - 1]?.end_at)
    .map(({ start_at }) => start_at);

const sharedChargesIn = (periods: readonly Row[]): (string | null | undefined)[] =>
  periods
    .filter(
      ({ payment_demand_id: paymentId }, at) =>
        paymentId === null ||
        periods.findIndex((period) => period.payment_demand_id === paymentId) !== at,
    )
    .map(({ id }) => id);

function isBehind(
  { status, next_billing_at }: Row,
  periods: readonly Row[],
  clock: Row | undefined,
): boolean {
  if (status !== 'active' || !clock) return false;
  return (
    next_billing_at !== periods.at(-1)?.end_at ||
    dateOf(next_billing_at) <= dateOf(clock.reached_at)
  );
}

const dateOf = (instant: string | null | undefined): number => Date.parse(instant ?? '');
