import { instantText, type Micros } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { Allowance } from '../../store/claim.ts';
import type { Db } from '../../store/db.ts';
import { type Refundable, refundablesOf } from '../../store/refunds.ts';
import type { Row } from '../../store/row.ts';
import { insertRows } from '../../store/rows.ts';
import { keyText, lockRows } from '../../store/transition.ts';
import { applyDecisions, type DecidedChange } from '../attempts/apply.ts';
import { newAttempt } from '../attempts/new-attempt.ts';
import { type TakenUp, takeUpDue } from '../attempts/take-up.ts';
import type { Services } from '../services.ts';
import { paymentOf } from './payment-of.ts';

interface Plan {
  readonly change: DecidedChange;
  /** Absent where the refund is refused before it is sent. */
  readonly attempt?: Row;
}

/** Takes up refunds that are due; the messages are the attempts to be sent. */
export async function submitDueRefunds(
  services: Services,
  allowance: Allowance,
): Promise<TakenUp<Row>> {
  const submit = (tx: Db, refunds: readonly Row[], now: Micros) =>
    submitLocked(services, tx, refunds, now);
  const result = await takeUpDue(services, { table: 'refund_demands', submit }, allowance);
  if (result.taken > 0) services.wake.deliver.raise();
  return result;
}

/** Attempts point to their payments, which are locked here in order rather than as the rows happen to be stored. */
async function submitLocked(
  services: Services,
  tx: Db,
  refunds: readonly Row[],
  now: Micros,
): Promise<Row[]> {
  const keys = refunds.map(paymentOf);
  await lockRows(tx, 'payment_demands', keys);
  const refundables = await refundablesOf(tx, keys);
  const plans = refunds.map((refund) =>
    plan(services, refund, refundables.get(keyText(paymentOf(refund))), now),
  );
  const changes = plans.map(({ change }) => change);
  await applyDecisions(services, tx, 'refund_demands', now, changes);
  const attempts = plans.flatMap(({ attempt }) => (attempt ? [attempt] : []));
  await insertRows(tx, services.catalog, 'attempts', attempts);
  return attempts;
}

function plan(
  services: Services,
  refund: Row,
  refundable: Refundable | undefined,
  now: Micros,
): Plan {
  const processor = services.processorOf(refund.mode as 'live' | 'sandbox');
  const authorisation_id = refundable?.authorisation_id;
  if (!processor || !authorisation_id) return refused(refund, now);
  const purpose = {
    id: uuidv7(now),
    processor: processor.metadata.name,
    operation: 'refund',
    payment_demand_id: refund.payment_demand_id as string,
    refund_demand_id: refund.id as string,
    authorisation_id,
  } as const;
  return {
    change: { before: refund, trigger: 'submit', set: { due_at: null }, events: newsOf(refund) },
    attempt: newAttempt(services, purpose, refund, now),
  };
}

/** One that is sent again because it could not leave was told of the first time. */
const newsOf = ({ unsent_count }: Row): string[] => (Number(unsent_count) > 0 ? [] : ['updated']);

const refused = (refund: Row, now: Micros): Plan => ({
  change: {
    before: refund,
    trigger: 'refuse',
    set: { due_at: null, failure_reason: 'processor_unreachable', failed_at: instantText(now) },
    events: ['failed'],
  },
});
