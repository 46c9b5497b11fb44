import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { rowsByKey } from '../../platform/database/rows.ts';
import { lockRows, rowAfter } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { type Allowance, lockDue } from '../../platform/workers/claim.ts';
import { GONE_SECONDS, isAnyVaultUp } from '../../platform/workers/heartbeats.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { type ClaimedDemands, claimDueDemands, type Intake } from '../attempts/claim-demands.ts';
import { newAttempt } from '../attempts/new-attempt.ts';
import { UNSENT_MAX_SECONDS, unsentColumns } from '../attempts/settlement.ts';
import { firstApprovalKey, firstApprovalsOf } from '../attempts/sql/first-approvals.ts';
import { insertAttempts } from '../attempts/sql/insert-attempts.ts';
import { feeColumns } from '../ledger/fee.ts';
import { feePlanKey, feePlansOf } from '../ledger/sql/fee-plans.ts';
import { stoppedAmong } from '../merchants/sql/measures.ts';
import { isUnverified } from '../payment-methods/verified-as.ts';
import type { Verifier } from '../payment-methods/verify-again.ts';
import type { Decision } from '../records/updater.ts';
import { assessRisk } from '../risk/assess.ts';
import type { RiskVerdict } from '../risk/decide.ts';
import { methodOf } from './card.ts';
import { subscriptionOf } from './columns.ts';
import { giveUpHold } from './hold.ts';
import { type Message, messageOf, refusalOf, type Sending } from './message.ts';
import { spentAmong } from './sql/spent-cards.ts';

interface Plan {
  readonly demand: Row;
  readonly decision: Decision;
  /** The attempt and its message; absent if the payment is refused before sending. */
  readonly attempt?: { readonly row: Row; readonly message: Message };
  /** The card that the payment waits for, since its issuer was unreachable. */
  readonly unverified?: Row;
}

const NOTHING: ClaimedDemands<Message> = { messages: [], taken: 0 };

/** Claims due payments: sends confirmed ones, and gives up expired holds. */
export async function submitDue(
  services: Services,
  allowance: Allowance,
  { verify }: Pick<Verifier, 'verify'>,
): Promise<ClaimedDemands<Message>> {
  const submit = async (tx: Db, demands: readonly Row[], now: Micros): Promise<Message[]> => {
    const plans = await submitLocked(services, tx, demands, now);
    verify(plans.flatMap(({ unverified }) => (unverified ? [unverified] : [])));
    return plans.flatMap(({ attempt }) => (attempt ? [attempt.message] : []));
  };
  const result = services.vault.isUp()
    ? await claimDueDemands(services, { table: 'payment_demands', submit }, allowance)
    : await giveUpUnsent(services, allowance);
  if (result.messages.length < result.taken) services.wake.deliver.raise();
  return result;
}

/**
 * While the vault accepts no messages, payments wait unclaimed. After the longest wait they are
 * refused, if the vault was down as long and no other process has a working one.
 */
async function giveUpUnsent(
  services: Services,
  allowance: Allowance,
): Promise<ClaimedDemands<Message>> {
  const { db, clock, machine, vault } = services;
  const down_since = vault.downSince() ?? machine.now();
  const patience = seconds(UNSENT_MAX_SECONDS);
  if (machine.now() - down_since < patience) return NOTHING;
  if (await isAnyVaultUp(db, instantText(machine.now() - seconds(GONE_SECONDS)))) return NOTHING;
  const lock: Intake<Message>['lock'] = (tx, due) =>
    lockDue(tx, { ...allowance, ...due, now: instantText(clock.now() - patience) });
  const submit = async (tx: Db, demands: readonly Row[], now: Micros): Promise<Message[]> => {
    const plans = demands.map((demand) =>
      demand.status === 'authorised'
        ? { demand, decision: giveUpHold('hold_expired') }
        : refused(demand, 'processor_unreachable', now),
    );
    await applyPlans(services, tx, plans, now);
    return [];
  };
  return claimDueDemands(services, { table: 'payment_demands', lock, submit }, allowance);
}

async function submitLocked(
  services: Services,
  tx: Db,
  demands: readonly Row[],
  now: Micros,
): Promise<Plan[]> {
  const originals = await firstApprovalsFor(tx, demands);
  const barred = await barredFrom(
    tx,
    demands.filter(({ status }) => status === 'pending'),
  );
  const plans = await plansFor(services, tx, demands, { originals, barred }, now);
  await applyPlans(services, tx, plans, now);
  return plans;
}

/** A payment after its message was sent. */
export interface SentPayment {
  readonly demand: Row;
  readonly attempt: Row;
  readonly message: Message;
}

/**
 * Sends payments that the transaction is about to store, with their attempts, unless blocked: so a
 * charge is written once instead of twice. Refused payments are left out, and stay due.
 */
export async function sendNew(
  services: Services,
  tx: Db,
  payments: readonly Row[],
  originals: Known['originals'],
  now: Micros,
): Promise<ReadonlyMap<Row, SentPayment>> {
  if (payments.length === 0) return new Map();
  const plans = await plansFor(services, tx, payments, { originals, barred: new Map() }, now);
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

/** Facts about payments beyond their references. */
interface Known {
  /** As `firstApprovalsOf` returns them. */
  readonly originals: ReadonlyMap<string, string>;
  /** Reasons against sending that are independent of the card. */
  readonly barred: ReadonlyMap<Row, DeclineCode>;
}

async function plansFor(
  services: Services,
  tx: Db,
  demands: readonly Row[],
  { originals, barred }: Known,
  now: Micros,
): Promise<Plan[]> {
  const methods = await methodsOf(tx, demands);
  const fees = await feePlansOf(
    tx,
    demands.map(({ merchant_id }) => merchant_id as string),
  );
  const verdicts = await assessRisk(
    tx,
    demands.filter((one) => one.status === 'pending' && !barred.has(one)),
    now,
  );
  const unspent = await unspentAmong(tx, demands);
  return demands.map((demand) => {
    const reason = barred.get(demand);
    return reason
      ? refused(demand, reason, now)
      : withFees(
          plan(
            services,
            sendingOf(demand, { methods, originals, unspent }),
            verdicts.get(keyText(demand)),
            now,
          ),
          fees.get(feePlanKey(demand)),
        );
  });
}

/** A payment is sent under the merchant's current fee plan. */
const withFees = ({ decision, ...plan }: Plan, fees: Row | undefined): Plan => ({
  ...plan,
  decision: plan.attempt
    ? { ...decision, set: { ...decision.set, ...feeColumns(fees) } }
    : decision,
});

/**
 * Payments that are not sent whatever their card, and why: they have ended meanwhile, or their
 * merchant is blocked.
 */
async function barredFrom(tx: Db, demands: readonly Row[]): Promise<ReadonlyMap<Row, DeclineCode>> {
  const cancelled = await cancelledCharges(tx, demands);
  const stopped = await stoppedAmong(tx, demands);
  return new Map<Row, DeclineCode>([
    ...[...stopped].map((one) => [one, 'merchant_held_back'] as const),
    ...[...cancelled].map((one) => [one, 'subscription_cancelled'] as const),
  ]);
}

/**
 * Charges whose subscription was cancelled before sending. Locks the subscriptions until the
 * charges are sent.
 */
async function cancelledCharges(tx: Db, demands: readonly Row[]): Promise<ReadonlySet<Row>> {
  const charges = demands.filter((demand) => demand.payment_subscription_id);
  if (charges.length === 0) return new Set();
  const rows = await lockRows(tx, 'payment_subscriptions', charges.map(subscriptionOf));
  const isCancelled = (charge: Row): boolean =>
    rows.get(keyText(subscriptionOf(charge)))?.status === 'cancelled';
  return new Set(charges.filter(isCancelled));
}

function sendingOf(
  demand: Row,
  {
    methods,
    originals,
    unspent,
  }: Pick<Known, 'originals'> & {
    readonly methods: ReadonlyMap<string, Row>;
    readonly unspent: ReadonlySet<Row>;
  },
): Sending {
  const method = methods.get(keyText(methodOf(demand))) as Row;
  const requires_cvv = unspent.has(demand);
  return { demand, method, original: originals.get(firstApprovalKey(demand)), requires_cvv };
}

/**
 * Payments sent again because they never arrived, and whose card was unused at their first sending.
 */
async function unspentAmong(tx: Db, demands: readonly Row[]): Promise<ReadonlySet<Row>> {
  const again = demands.filter(({ resent_count }) => Number(resent_count ?? 0) > 0);
  const spent = await spentAmong(tx, again);
  return new Set(again.filter((one) => !spent.has(keyText(one))));
}

async function methodsOf(tx: Db, demands: readonly Row[]): Promise<Map<string, Row>> {
  const rows = await rowsByKey(tx, 'payment_methods', demands.map(methodOf));
  return new Map(rows.map((row) => [keyText(row), row]));
}

/** First approvals for merchant-initiated charges. */
const firstApprovalsFor = (tx: Db, demands: readonly Row[]): ReturnType<typeof firstApprovalsOf> =>
  firstApprovalsOf(
    tx,
    demands.filter(({ initiator }) => initiator === 'merchant'),
  );

function plan(
  services: Services,
  sending: Sending,
  verdict: RiskVerdict = { outcome: null },
  now: Micros,
): Plan {
  const { demand, method } = sending;
  if (demand.status === 'authorised') return { demand, decision: giveUpHold('hold_expired') };
  const processor = services.processorOf(demand.mode as 'live' | 'sandbox');
  if (!processor) return refused(demand, 'processor_unreachable', now);
  const refusal = refusalOf(sending);
  if (refusal) return refused(demand, refusal, now);
  const seen = { risk_outcome: verdict.outcome && JSON.stringify(verdict.outcome) };
  if (verdict.refusal) return refused(demand, verdict.refusal, now, { ...verdict.checks, ...seen });
  if (isUnverified(method)) return waiting(demand, method, now);
  const id = uuidv7(now);
  const moved = services.clock !== services.machine && { sent_at: instantText(now) };
  const purpose = {
    id,
    processor: processor.metadata.name,
    operation: 'authorise',
    payment_demand_id: demand.id as string,
  } as const;
  const row = {
    ...newAttempt(services, purpose, demand, now),
    card_fingerprint: method.card_fingerprint as string,
    payer_id: demand.payer_id as string,
  };
  const message = messageOf(processor, row, { ...sending, ...moved });
  return {
    demand,
    decision: { trigger: 'submit', set: { ...seen, due_at: null }, events: [] },
    attempt: { row, message },
  };
}

/** Retries the payment like one that could not leave; the card is verified meanwhile. */
function waiting(demand: Row, unverified: Row, now: Micros): Plan {
  const set = unsentColumns(demand, now);
  if (!set) return refused(demand, 'processor_unreachable', now, { unsent_since: null });
  return { demand, decision: { set, events: [] }, unverified };
}

const refused = (demand: Row, failure_reason: DeclineCode, now: Micros, seen: Row = {}): Plan => ({
  demand,
  decision: {
    trigger: 'refuse',
    set: { ...seen, due_at: null, failure_reason, failed_at: instantText(now) },
    events: ['failed'],
  },
});

async function applyPlans(
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
