import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { rowAfter } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { authorisationId } from '../attempts/attempt-id.ts';
import { unsentColumns } from '../attempts/decide-outcome.ts';
import { createAttemptRow } from '../attempts/new-attempt.ts';
import { firstApprovalKey } from '../attempts/sql/first-approvals.ts';
import { lastAuthorisations } from '../attempts/sql/last-authorisations.ts';
import { feeColumns } from '../ledger/fee.ts';
import { feePlanKey, findFeePlans } from '../ledger/sql/fee-plans.ts';
import { isUnverified } from '../payment-methods/verified-as.ts';
import type { Candidate } from '../processor-accounts/route-payment.ts';
import type { Decision } from '../records/updater.ts';
import { assessRisk } from '../risk/assess.ts';
import type { RiskVerdict } from '../risk/decide.ts';
import { methodOf } from './card.ts';
import { type AttemptRoute, failureAfter, fallbackOf, stepOf } from './fallback/fallback.ts';
import { endHold } from './hold.ts';
import { findMergedOwners } from './merged-owners.ts';
import { type Message, messageOf, type PaymentToSend, refusalOf } from './message.ts';
import { findPayerFacts } from './payer/payer-facts.ts';
import { type RoutedPayment, routeOne, sendableRoute } from './routed-payment.ts';
import type { AccountSlots } from './slots/account-slots.ts';
import { decideSlotWait } from './slots/slot-wait.ts';
import { usedCardsAmong } from './sql/used-cards.ts';

/** Change of a claimed payment, with its message. */
export interface Plan {
  readonly demand: Row;
  readonly decision: Decision & { readonly internal?: boolean };
  /** Attempt and message; absent if the payment is refused before sending. */
  readonly attempt?: { readonly row: Row; readonly message: Message };
  /** Card that needs verification first, because its issuer was unreachable. */
  readonly unverified?: Row;
}

/** Facts about payments, besides the rows that they reference. */
interface PaymentFacts {
  /** First approvals of the cards, from `findFirstApprovals`. */
  readonly approvals: ReadonlyMap<string, string>;
  /** Payments that must not be sent with any card, with the reason. */
  readonly blocked: ReadonlyMap<Row, DeclineCode>;
  /** Room for messages of accounts. Default: no limit. */
  readonly slots?: AccountSlots | undefined;
  /** Facts about the merchants; looked up by default. */
  readonly merchants?: MerchantFacts;
}

/** Facts about the merchants of payments that are planned together. */
export interface MerchantFacts {
  /** Fee plans, by `feePlanKey`. */
  readonly fees: ReadonlyMap<string, Row>;
  /** Velocity limits, which the transaction has locked. */
  readonly limits: readonly Row[];
}

/**
 * Loads cards, fees and risk verdicts of locked payments, and decides about each. Stores nothing.
 */
export async function planPayments(
  services: Services,
  tx: Db,
  demands: readonly Row[],
  { approvals, blocked, slots, merchants }: PaymentFacts,
  now: Micros,
): Promise<Plan[]> {
  const methods = await methodsOf(tx, demands);
  const fees = merchants?.fees ?? (await findFeePlans(tx, demands.map(merchantOf)));
  const verdicts = await assessRisk(
    tx,
    demands.filter((demand) => isAssessed(demand) && !blocked.has(demand)),
    now,
    merchants?.limits,
  );
  const unusedCvvDemands = await demandsWithUnusedCvv(tx, demands);
  const numbers = await lastAuthorisations(tx, demands.filter(mayBeSentAgain).map(keyOf));
  await services.accounts.requireFresh(tx);
  const routed = demands.map((demand) =>
    routeOne(services, demand, methods.get(keyText(methodOf(demand))) as Row),
  );
  const payers = await findPayerFacts(tx, routed.filter(isForAccount));
  const mergedOwners = await findMergedOwners(tx, routed);
  return routed.map((payment) => {
    const { demand, method } = payment;
    const reason = blocked.get(demand);
    if (reason) return refusedPlan(demand, reason, now);
    const paymentToSend: PaymentToSend = {
      demand,
      method,
      first_approval: approvals.get(firstApprovalKey(demand)),
      payer_facts: payers.get(keyText(demand)),
      requires_cvv: unusedCvvDemands.has(demand),
      merged_owner: mergedOwners.has(keyText(demand)),
      attempt_number: (numbers.get(keyText(demand)) ?? 0) + 1,
    };
    const verdict = verdicts.get(keyText(demand));
    const plan = planOne(services, payment, paymentToSend, { verdict, slots }, now);
    return withFees(plan, fees.get(feePlanKey(demand)));
  });
}

/**
 * A payment with its attempt, in the form to be stored, and the message to send after the commit.
 */
export interface NewSubmission {
  readonly demand: Row;
  readonly attempt: Row;
  readonly message: Message;
}

/**
 * Plans payments before the transaction stores them, so that each is written once. Leaves out
 * refused payments and those without a slot of their account; these are stored as due.
 */
export async function planNewPayments(
  services: Services,
  tx: Db,
  payments: readonly Row[],
  given: Pick<PaymentFacts, 'approvals' | 'slots' | 'merchants'>,
  now: Micros,
): Promise<ReadonlyMap<Row, NewSubmission>> {
  if (payments.length === 0) return new Map();
  const facts = { ...given, blocked: new Map() };
  const plans = await planPayments(services, tx, payments, facts, now);
  const options = { table: 'payment_demands', at: instantText(now) };
  return new Map(
    plans.flatMap(({ demand: before, decision, attempt }) => {
      if (!attempt) return [];
      const { row, message } = attempt;
      const demand = rowAfter(options, { before, ...decision });
      return [[before, { demand, attempt: row, message }] as const];
    }),
  );
}

const merchantOf = ({ merchant_id }: Row): string => merchant_id as string;

/** A second account gets the verdict of the first: its decline must not count against the same payment. */
const isAssessed = (demand: Row): boolean => demand.status === 'pending' && !stepOf(demand);

/** Whether an earlier message may be stored: it failed, was not sent, or never arrived. */
const mayBeSentAgain = (demand: Row): boolean =>
  demand.status === 'pending' &&
  Boolean(
    demand.failed_at ||
      demand.fallback_after ||
      Number(demand.unsent_count ?? 0) ||
      Number(demand.resent_count ?? 0),
  );

/** Only accounts get facts about the payer: the simulated network ignores them. */
const isForAccount = ({ demand, candidate }: RoutedPayment): boolean =>
  demand.status === 'pending' && candidate?.account !== undefined;

async function methodsOf(tx: Db, demands: readonly Row[]): Promise<Map<string, Row>> {
  const rows = await findRowsByKey(tx, 'payment_methods', demands.map(methodOf));
  return new Map(rows.map((row) => [keyText(row), row]));
}

/**
 * Payments that are sent again and whose verification value no earlier payment had used. These
 * messages still require the value.
 */
async function demandsWithUnusedCvv(tx: Db, demands: readonly Row[]): Promise<ReadonlySet<Row>> {
  const resentDemands = demands.filter(({ resent_count }) => Number(resent_count ?? 0) > 0);
  const usedCards = await usedCardsAmong(tx, resentDemands);
  return new Set(resentDemands.filter((demand) => !usedCards.has(keyText(demand))));
}

function planOne(
  services: Services,
  payment: RoutedPayment,
  paymentToSend: PaymentToSend,
  {
    verdict = { outcome: null },
    slots,
  }: Pick<PaymentFacts, 'slots'> & { readonly verdict: RiskVerdict | undefined },
  now: Micros,
): Plan {
  const { demand, method } = paymentToSend;
  const { candidate } = payment;
  if (demand.status === 'authorised')
    return { demand, decision: endHold(demand, 'hold_expired', now) };
  if (!candidate) return refusedPlan(demand, unreachableCode(demand), now);
  const refusal = refusalOf(paymentToSend);
  if (refusal) return refusedPlan(demand, refusal, now);
  const riskColumns: Row = isAssessed(demand)
    ? { risk_outcome: verdict.outcome && JSON.stringify(verdict.outcome) }
    : {};
  if (verdict.refusal)
    return refusedPlan(demand, verdict.refusal, now, { ...verdict.checks, ...riskColumns });
  if (isUnverified(method)) return deferForVerification(demand, method, now);
  const account = candidate.account?.id;
  if (!slots || account === undefined || slots.take(account))
    return submitted(services, payment, paymentToSend, riskColumns, now);
  const wait = { demand, account, route: sendableRoute(services, payment) };
  const decided = decideSlotWait(wait, slots, now);
  if (decided === 'refuse')
    return refusedPlan(demand, unreachableCode(demand), now, {
      ...riskColumns,
      unsent_since: null,
    });
  // The payment waits, and clients see no change.
  if ('set' in decided) return { demand, decision: { ...decided, events: [], internal: true } };
  const fallback_after = JSON.stringify(decided.step);
  const second = routeOne(services, { ...demand, fallback_after }, method);
  const columns = { ...riskColumns, fallback_after };
  const plan = submitted(
    services,
    second,
    { ...paymentToSend, demand: second.demand },
    columns,
    now,
  );
  return { ...plan, demand };
}

/** Submits the payment to the candidate. The caller has taken the account's slot. */
function submitted(
  services: Services,
  { route, candidate }: RoutedPayment,
  paymentToSend: PaymentToSend,
  columns: Row,
  now: Micros,
): Plan {
  const { demand } = paymentToSend;
  const row = attemptOf(services, candidate as Candidate, route, paymentToSend, now);
  const sentColumns = services.clock !== services.system_clock && { sent_at: instantText(now) };
  const toSend = { ...paymentToSend, ...sentColumns };
  return {
    demand,
    decision: { trigger: 'submit', set: { ...columns, due_at: null }, events: [] },
    attempt: { row, message: messageOf(services, candidate as Candidate, row, toSend) },
  };
}

/** Reason of a payment that no account could be asked for. */
const unreachableCode = (demand: Row): DeclineCode =>
  failureAfter(demand, 'processor_unreachable') as DeclineCode;

function attemptOf(
  services: Services,
  { processor, account }: Candidate,
  route: RoutedPayment['route'],
  { demand, method, attempt_number = 1 }: PaymentToSend,
  now: Micros,
): Row {
  const purpose = {
    id: authorisationId(demand.id as string, attempt_number),
    processor: processor.metadata.name,
    ...(account && { processor_account_id: account.id }),
    // Without a rule every attempt at the simulated network has the same route.
    ...((account || route.rule !== null) && {
      route: JSON.stringify(attemptRoute(services, account, route, { demand, method })),
    }),
    operation: 'authorise',
    payment_demand_id: demand.id as string,
  } as const;
  return {
    ...createAttemptRow(services, purpose, demand, now),
    card_fingerprint: method.card_fingerprint as string,
    payer_id: demand.payer_id as string,
  };
}

/** The route with the account that is asked, and why it is the second one. */
function attemptRoute(
  { accounts }: Services,
  account: Candidate['account'],
  route: RoutedPayment['route'],
  { demand, method }: Pick<PaymentToSend, 'demand' | 'method'>,
): AttemptRoute {
  const step = stepOf(demand);
  const nameOf = (id: string): string => accounts.find(id)?.name ?? id;
  return {
    ...route,
    fallback: fallbackOf(route.fallback, demand, method),
    ...(account && { account: account.name }),
    ...(step && { after: { ...step, name: nameOf(step.account) } }),
  };
}

/** Defers the payment while its card is verified; refuses it after the longest wait. */
function deferForVerification(demand: Row, unverifiedMethod: Row, now: Micros): Plan {
  const set = unsentColumns(demand, now);
  if (!set) return refusedPlan(demand, 'processor_unreachable', now, { unsent_since: null });
  return { demand, decision: { set, events: [] }, unverified: unverifiedMethod };
}

/** Fails a payment before it is sent. `riskColumns` has the columns of the risk assessment. */
export const refusedPlan = (
  demand: Row,
  failure_reason: DeclineCode,
  now: Micros,
  riskColumns: Row = {},
): Plan => ({
  demand,
  decision: {
    trigger: 'refuse',
    set: { ...riskColumns, due_at: null, failure_reason, failed_at: instantText(now) },
    events: ['failed'],
  },
});

/** Adds the fees of the merchant's current plan, if the payment is sent. */
const withFees = ({ decision, ...plan }: Plan, fees: Row | undefined): Plan => ({
  ...plan,
  decision: plan.attempt
    ? { ...decision, set: { ...decision.set, ...feeColumns(fees) } }
    : decision,
});
