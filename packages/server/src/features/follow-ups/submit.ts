import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { Allowance } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { type ClaimedDemands, claimDueDemands, DEFER_SECONDS } from '../attempts/claim-demands.ts';
import { newAttempt } from '../attempts/new-attempt.ts';
import { ownProcessor } from '../attempts/own-processor.ts';
import { insertAttempts } from '../attempts/sql/insert-attempts.ts';
import { authorisationsOf } from '../payments/sql/authorisations.ts';
import type { DecidedChange } from '../records/apply-decisions.ts';
import type { FollowUpKind } from './kinds.ts';
import { lookAtPayments } from './look.ts';
import { paymentOf } from './payment-of.ts';
import { afterFollowUps } from './settle.ts';

interface Plan {
  readonly change: DecidedChange;
  /** Absent if it is refused before sending. */
  readonly attempt?: Row;
}

/** Claims due follow-ups; the messages are their attempts. */
export async function submitDueFollowUps(
  services: Services,
  kind: FollowUpKind,
  allowance: Allowance,
): Promise<ClaimedDemands<Row>> {
  const submit = (tx: Db, demands: readonly Row[], now: Micros) =>
    submitLocked(services, kind, tx, demands, now);
  const result = await claimDueDemands(services, { table: kind.table, submit }, allowance);
  if (result.taken > 0) services.wake.deliver.raise();
  return result;
}

/** Attempts reference their payments, which are locked here in key order, not in storage order. */
async function submitLocked(
  services: Services,
  kind: FollowUpKind,
  tx: Db,
  demands: readonly Row[],
  now: Micros,
): Promise<Row[]> {
  const keys = demands.map(paymentOf);
  const { payments, maySend } = await lookAtPayments(tx, kind, keys);
  const authorisations = await authorisationsOf(tx, keys);
  const plans = demands.map((demand) => {
    const key = keyText(paymentOf(demand));
    return maySend(demand, payments.get(key))
      ? plan(services, kind, demand, authorisations.get(key), now)
      : refused(demand, 'payment_disputed', now);
  });
  const changes = plans.map(({ change }) => change);
  const changed = await applyDemandDecisions(services, tx, kind.table, now, changes);
  await afterFollowUps(services, kind)(tx, changed, now);
  const attempts = plans.flatMap(({ attempt }) => (attempt ? [attempt] : []));
  await insertAttempts(tx, services.catalog, attempts);
  return attempts;
}

function plan(
  services: Services,
  { operation, column }: FollowUpKind,
  demand: Row,
  authorisation: Row | undefined,
  now: Micros,
): Plan {
  if (!authorisation) return refused(demand, 'processor_unreachable', now);
  const processor = ownProcessor(services, authorisation);
  if (!processor) return putOff(demand, now);
  const purpose = {
    id: uuidv7(now),
    processor: processor.metadata.name,
    operation,
    payment_demand_id: demand.payment_demand_id as string,
    [column]: demand.id as string,
    authorisation_id: authorisation.id as string,
  };
  return {
    change: { before: demand, trigger: 'submit', set: { due_at: null }, events: newsOf(demand) },
    attempt: newAttempt(services, purpose, demand, now),
  };
}

/** Waits until the payment's processor is registered again. */
const putOff = (before: Row, now: Micros): Plan => ({
  change: { before, set: { due_at: instantText(now + seconds(DEFER_SECONDS)) }, events: [] },
});

/** A follow-up that could not leave has emitted its event the first time. */
const newsOf = ({ unsent_count }: Row): string[] => (Number(unsent_count) > 0 ? [] : ['updated']);

const refused = (demand: Row, failure_reason: FollowUpFailure, now: Micros): Plan => ({
  change: {
    before: demand,
    trigger: 'refuse',
    set: { due_at: null, failure_reason, failed_at: instantText(now) },
    events: ['failed'],
  },
});
