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
import { createAttemptRow } from '../attempts/new-attempt.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { insertAttempts } from '../attempts/sql/insert-attempts.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { authorisationsOf } from '../payments/sql/authorisations.ts';
import type { DecidedChange } from '../records/apply-decisions.ts';
import type { FollowUpKind } from './kinds.ts';
import { changePaymentsAfter } from './record-outcome.ts';
import { lockSendable } from './sendable.ts';

interface Plan {
  readonly change: DecidedChange;
  /** Absent if the follow-up is refused before it is sent. */
  readonly attempt?: Row;
}

/**
 * Claims due follow-ups and stores an attempt for each that may be sent. Returns the attempts as
 * messages.
 */
export async function claimDueFollowUps(
  services: Services,
  kind: FollowUpKind,
  allowance: Allowance,
): Promise<ClaimedDemands<Row>> {
  // Locks payments in key order before attempts are inserted. The foreign key would lock them in
  // storage order.
  const submit = (tx: Db, demands: readonly Row[], now: Micros): Promise<Row[]> =>
    submitFollowUps(services, kind, tx, demands, now);
  const claimedDemands = await claimDueDemands(services, { table: kind.table, submit }, allowance);
  if (claimedDemands.lockedCount > 0) services.wake.deliver.raise();
  return claimedDemands;
}

/** Stores an attempt for each locked follow-up that may be sent, and sends none. Returns the attempts. */
export async function submitFollowUps(
  services: Services,
  kind: FollowUpKind,
  tx: Db,
  demands: readonly Row[],
  now: Micros,
): Promise<Row[]> {
  const sendableDemands = await lockSendable(tx, kind, demands);
  const authorisations = await authorisationsOf(tx, demands.map(paymentOf));
  const plans = demands.map((demand) =>
    sendableDemands.has(demand)
      ? planFollowUp(services, kind, demand, authorisations.get(keyText(paymentOf(demand))), now)
      : refusePlan(demand, 'payment_disputed', now),
  );
  return storePlans(services, kind, tx, plans, now);
}

/** Stores the changes of follow-ups and their payments, then the attempts. Returns the attempts. */
async function storePlans(
  services: Services,
  kind: FollowUpKind,
  tx: Db,
  plans: readonly Plan[],
  now: Micros,
): Promise<Row[]> {
  const changes = plans.map(({ change }) => change);
  const changedRows = await applyDemandDecisions(services, tx, kind.table, now, changes);
  await changePaymentsAfter(services, kind, tx, changedRows, now);
  const attempts = plans.flatMap(({ attempt }) => (attempt ? [attempt] : []));
  await insertAttempts(tx, services.catalog, attempts);
  return attempts;
}

function planFollowUp(
  services: Services,
  { operation, column }: FollowUpKind,
  demand: Row,
  authorisation: Row | undefined,
  now: Micros,
): Plan {
  if (!authorisation) return refusePlan(demand, 'processor_unreachable', now);
  const processor = processorOfRow(services, authorisation);
  if (!processor) return deferPlan(demand, now);
  const purpose = {
    id: uuidv7(now),
    processor: processor.metadata.name,
    processor_account_id: authorisation.processor_account_id ?? null,
    authorisation_reference: authorisation.processor_reference ?? null,
    capture_reference: authorisation.capture_reference ?? null,
    operation,
    payment_demand_id: demand.payment_demand_id as string,
    [column]: demand.id as string,
    capture_final: demand.final ?? null,
    tells_final: operation === 'capture' ? 'true' : null,
    authorisation_id: authorisation.id as string,
  };
  return {
    change: { before: demand, trigger: 'submit', set: { due_at: null }, events: eventsOf(demand) },
    attempt: createAttemptRow(services, purpose, demand, now),
  };
}

/** Defers a follow-up while its payment's processor is not registered. */
const deferPlan = (before: Row, now: Micros): Plan => ({
  change: { before, set: { due_at: instantText(now + seconds(DEFER_SECONDS)) }, events: [] },
});

/**
 * Events of a follow-up that is sent. None after an unsent message, since the first claim has
 * emitted them.
 */
const eventsOf = ({ unsent_count }: Row): string[] => (Number(unsent_count) > 0 ? [] : ['updated']);

const refusePlan = (demand: Row, failure_reason: FollowUpFailure, now: Micros): Plan => ({
  change: {
    before: demand,
    trigger: 'refuse',
    set: { due_at: null, failure_reason, failed_at: instantText(now) },
    events: ['failed'],
  },
});
