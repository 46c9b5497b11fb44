import type { Entry } from '../books.ts';
import { SPEED } from '../fast-clock.ts';
import type { Outcome, Row } from '../outcome.ts';

const sumOf = (entries: readonly Entry[], ...results: readonly string[]): number =>
  entries
    .filter(({ result }) => results.includes(result))
    .reduce((sum, { amount }) => sum + amount, 0);

/** Amounts of a payment at the network, from its approval. */
interface DisputedAmounts {
  readonly refunded: number;
  readonly open: number;
  readonly lost: number;
}

function disputedAmountsOf({
  records: { attempts },
  networkLedger,
}: Outcome): ReadonlyMap<string, DisputedAmounts> {
  const paymentIds = new Map(attempts.map(({ id, payment_demand_id }) => [id, payment_demand_id]));
  const [refunds, disputes] = [networkLedger.refunds, networkLedger.disputes].map((entries) =>
    Map.groupBy(entries, ({ authorisation = '' }) => paymentIds.get(authorisation) ?? ''),
  );
  const payments = new Set([...(refunds?.keys() ?? []), ...(disputes?.keys() ?? [])]);
  return new Map(
    [...payments].map((id) => {
      const paymentDisputes = disputes?.get(id) ?? [];
      const refunded = sumOf(refunds?.get(id) ?? [], 'approved');
      return [
        id,
        { refunded, open: sumOf(paymentDisputes, 'open'), lost: sumOf(paymentDisputes, 'lost') },
      ];
    }),
  );
}

const capturedStatuses = new Set<string | null>(['succeeded', 'disputed', 'reversed']);

/** Checks that each payment's state and refundable amount follow from the network's refunds and disputes. */
export function checkPaymentStates(outcome: Outcome): string[] {
  const disputedAmounts = disputedAmountsOf(outcome);
  return outcome.records.payments
    .filter(({ status = null }) => capturedStatuses.has(status))
    .flatMap(({ id, status, amount_captured_cents, amount_refundable_cents }) => {
      const { refunded, open, lost } = disputedAmounts.get(id as string) ?? {
        refunded: 0,
        open: 0,
        lost: 0,
      };
      const capturedCents = Number(amount_captured_cents);
      const refundable = Math.max(0, capturedCents - refunded - open - lost);
      const stateWithoutReversal = open > 0 ? 'disputed' : 'succeeded';
      const state =
        lost > 0 && lost + refunded >= capturedCents ? 'reversed' : stateWithoutReversal;
      return status === state && Number(amount_refundable_cents) === refundable
        ? []
        : [
            `payment ${id} of ${capturedCents} is ${status} with ${amount_refundable_cents} left, and by the network's ledger ${state} with ${refundable}`,
          ];
    });
}

/** Longest wait for a payment's lock, in microseconds of the run. Times may be out of order by up to this time. */
const LOCK_WAIT_MICROS = 2_000_000 * SPEED;
const MICROS_PER_MS = 1_000;

const isLater = (sentAt: string, disputedAt: string): boolean =>
  (Date.parse(sentAt) - Date.parse(disputedAt)) * MICROS_PER_MS > LOCK_WAIT_MICROS;

/**
 * Finds payments whose refunds and lost disputes exceed the captured amount, although a refund was sent after
 * one of the disputes was known.
 */
export function findOverpaid(outcome: Outcome): string[] {
  const { refunds, disputes, attempts, payments } = outcome.records;
  const disputedAmounts = disputedAmountsOf(outcome);
  const succeededIds = new Set(refunds.filter(({ status }) => status === 'succeeded').map(idOf));
  return payments
    .filter(({ id, amount_captured_cents }) => {
      const { refunded, lost } = disputedAmounts.get(id as string) ?? { refunded: 0, lost: 0 };
      return refunded + lost > Number(amount_captured_cents);
    })
    .flatMap(({ id }) => {
      const disputeTimes = disputes
        .filter(belongsTo(id))
        .map(({ created_at }) => created_at as string);
      const [firstDispute = ''] = disputeTimes.toSorted();
      return attempts
        .filter(belongsTo(id))
        .filter(({ refund_demand_id = null }) => succeededIds.has(refund_demand_id))
        .filter(({ sent_at }) => isLater(sent_at as string, firstDispute))
        .map((attempt) => `refund ${attempt.refund_demand_id} was sent despite a dispute`);
    });
}

const idOf = ({ id = null }: Row): string | null => id;
const belongsTo =
  (paymentId: string | null | undefined) =>
  ({ payment_demand_id }: Row): boolean =>
    payment_demand_id === paymentId;
