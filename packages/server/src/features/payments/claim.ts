import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { type Allowance, lockDue } from '../../platform/workers/claim.ts';
import { CRASHED_SECONDS, isAnyVaultUp } from '../../platform/workers/heartbeats.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import {
  type ClaimedDemands,
  type ClaimRules,
  claimDueDemands,
} from '../attempts/claim-demands.ts';
import { UNSENT_MAX_SECONDS } from '../attempts/decide-outcome.ts';
import { findFirstApprovals } from '../attempts/sql/first-approvals.ts';
import { insertAttempts } from '../attempts/sql/insert-attempts.ts';
import { filterStopped } from '../merchants/sql/enforcement-actions.ts';
import type { Verifier } from '../payment-methods/verify-again.ts';
import { subscriptionOf } from './columns.ts';
import { routeOfAttempt } from './fallback/fallback.ts';
import { endHold } from './hold.ts';
import type { Message } from './message.ts';
import { type Plan, planPayments, refusedPlan } from './plan.ts';
import type { AccountSlots } from './slots/account-slots.ts';

const NOTHING: ClaimedDemands<Message> = { messages: [], lockedCount: 0 };

/**
 * Claims due payments: stores an attempt for each confirmed payment and releases expired holds.
 * Returns the messages for the caller to send.
 */
export async function claimDuePayments(
  services: Services,
  allowance: Allowance,
  verifier: Pick<Verifier, 'verify'>,
  slots?: AccountSlots,
): Promise<ClaimedDemands<Message>> {
  const claimedDemands = services.vault.isUp()
    ? await claimToSend(services, allowance, verifier, slots)
    : await refuseUnsent(services, allowance);
  if (claimedDemands.messages.length < claimedDemands.lockedCount) services.wake.deliver.raise();
  return claimedDemands;
}

async function claimToSend(
  services: Services,
  allowance: Allowance,
  { verify }: Pick<Verifier, 'verify'>,
  slots?: AccountSlots,
): Promise<ClaimedDemands<Message>> {
  const attempts = new Map<Message, Row>();
  const submit = async (tx: Db, demands: readonly Row[], now: Micros): Promise<Message[]> => {
    const approvals = await findFirstApprovals(tx, demands.filter(isByMerchant));
    const blocked = await blockedAmong(tx, demands.filter(isPending));
    const plans = await planPayments(services, tx, demands, { approvals, blocked, slots }, now);
    await storePlans(services, tx, plans, now);
    verify(plans.flatMap(({ unverified }) => (unverified ? [unverified] : [])));
    for (const { attempt } of plans) if (attempt) attempts.set(attempt.message, attempt.row);
    return plans.flatMap(({ attempt }) => (attempt ? [attempt.message] : []));
  };
  const claimed = await claimDueDemands(services, { table: 'payment_demands', submit }, allowance);
  countWithoutSlot(services, claimed.messages, attempts);
  return claimed;
}

/** Counts messages to a second account whose first had no free slot. Others are counted with the first outcome. */
function countWithoutSlot(
  { processor_metrics }: Services,
  messages: readonly Message[],
  attempts: ReadonlyMap<Message, Row>,
): void {
  for (const message of messages) {
    const route = routeOfAttempt(attempts.get(message) as Row);
    if (route?.after && !route.after.attempt)
      processor_metrics.countFallback(route.rule, route.after.result);
  }
}

const isByMerchant = ({ initiator }: Row): boolean => initiator === 'merchant';
const isPending = ({ status }: Row): boolean => status === 'pending';

/**
 * Refuses payments that have waited too long for a vault. Until then they wait unclaimed. Refuses
 * none if this vault went down later, or another process has a working vault.
 */
async function refuseUnsent(
  services: Services,
  allowance: Allowance,
): Promise<ClaimedDemands<Message>> {
  const { db, clock, system_clock, vault } = services;
  const down_since = vault.downSince() ?? system_clock.now();
  const wait_max = seconds(UNSENT_MAX_SECONDS);
  if (system_clock.now() - down_since < wait_max) return NOTHING;
  if (await isAnyVaultUp(db, instantText(system_clock.now() - seconds(CRASHED_SECONDS))))
    return NOTHING;
  const lock: ClaimRules<Message>['lock'] = (tx, due) =>
    lockDue(tx, { ...allowance, ...due, now: instantText(clock.now() - wait_max) });
  const submit = async (tx: Db, demands: readonly Row[], now: Micros): Promise<Message[]> => {
    const plans = demands.map((demand) =>
      demand.status === 'authorised'
        ? { demand, decision: endHold(demand, 'hold_expired', now) }
        : refusedPlan(demand, 'processor_unreachable', now),
    );
    await storePlans(services, tx, plans, now);
    return [];
  };
  return claimDueDemands(services, { table: 'payment_demands', lock, submit }, allowance);
}

/**
 * Payments that must not be sent with any card, with the reason: the subscription was cancelled, or
 * the merchant is blocked.
 */
async function blockedAmong(
  tx: Db,
  demands: readonly Row[],
): Promise<ReadonlyMap<Row, DeclineCode>> {
  const cancelledDemands = await cancelledCharges(tx, demands);
  const stoppedDemands = await filterStopped(tx, demands);
  return new Map<Row, DeclineCode>([
    ...[...stoppedDemands].map((demand) => [demand, 'merchant_held_back'] as const),
    ...[...cancelledDemands].map((demand) => [demand, 'subscription_cancelled'] as const),
  ]);
}

/**
 * Charges whose subscription was cancelled before sending. Locks the subscriptions until the
 * commit.
 */
async function cancelledCharges(tx: Db, demands: readonly Row[]): Promise<ReadonlySet<Row>> {
  const charges = demands.filter((demand) => demand.payment_subscription_id);
  if (charges.length === 0) return new Set();
  const rows = await lockRows(tx, 'payment_subscriptions', charges.map(subscriptionOf));
  const isCancelled = (charge: Row): boolean =>
    rows.get(keyText(subscriptionOf(charge)))?.status === 'cancelled';
  return new Set(charges.filter(isCancelled));
}

/** Stores the payments' changes with events and reactions, then stores the attempts. */
async function storePlans(
  services: Services,
  tx: Db,
  plans: readonly Plan[],
  now: Micros,
): Promise<void> {
  const changes = plans.map(({ demand, decision }) => ({ before: demand, ...decision }));
  await applyDemandDecisions(services, tx, 'payment_demands', now, changes);
  const attempts = plans.flatMap(({ attempt }) => (attempt ? [attempt.row] : []));
  await insertAttempts(tx, services.catalog, attempts);
}
