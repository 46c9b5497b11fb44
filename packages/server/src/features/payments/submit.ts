import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { RelayRequest, WalletKind } from '@florin/contract/protocol/vault.ts';
import { instantText, type Micros } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { AuthoriseInput } from '../../processors/processor.ts';
import type { Allowance } from '../../store/claim.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { insertRows, rowsByKey } from '../../store/rows.ts';
import { keyText, lockRows } from '../../store/transition.ts';
import { applyChanges } from '../attempts/apply.ts';
import { newAttempt } from '../attempts/new-attempt.ts';
import { type TakenUp, takeUpDue } from '../attempts/take-up.ts';
import type { Decision } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { followCharges, subscriptionOf } from '../subscriptions/follow.ts';
import { BY_WALLET } from './columns.ts';

interface Plan {
  readonly demand: Row;
  readonly decision: Decision;
  /** The attempt and its message; absent where the payment is refused before it is sent. */
  readonly attempt?: { readonly row: Row; readonly request: RelayRequest };
}

/** Takes up payments that are due. */
export async function submitDue(
  services: Services,
  allowance: Allowance,
): Promise<TakenUp<RelayRequest>> {
  const submit = (tx: Db, demands: readonly Row[], now: Micros) =>
    submitLocked(services, tx, demands, now);
  const result = await takeUpDue(services, { table: 'payment_demands', submit }, allowance);
  if (result.messages.length < result.taken) services.wake.deliver.raise();
  return result;
}

async function submitLocked(
  services: Services,
  tx: Db,
  demands: readonly Row[],
  now: Micros,
): Promise<RelayRequest[]> {
  const methods = await methodsOf(tx, demands);
  const cancelled = await cancelledCharges(tx, demands);
  const plans = demands.map((demand) =>
    cancelled.has(demand)
      ? refused(demand, 'subscription_cancelled', now)
      : plan(services, demand, methods.get(demand.payment_method_id as string) as Row, now),
  );
  await applyPlans(services, tx, plans, now);
  return plans.flatMap(({ attempt }) => (attempt ? [attempt.request] : []));
}

/** Charges whose subscription was cancelled before they were sent. It stays locked until they are, so none is cancelled meanwhile. */
async function cancelledCharges(tx: Db, demands: readonly Row[]): Promise<ReadonlySet<Row>> {
  const charges = demands.filter((demand) => demand.payment_subscription_id);
  if (charges.length === 0) return new Set();
  const rows = await lockRows(tx, 'payment_subscriptions', charges.map(subscriptionOf));
  const isCancelled = (charge: Row): boolean =>
    rows.get(keyText(subscriptionOf(charge)))?.status === 'cancelled';
  return new Set(charges.filter(isCancelled));
}

async function methodsOf(tx: Db, demands: readonly Row[]): Promise<Map<string, Row>> {
  const keys = demands.map(({ merchant_id, payment_method_id }) => ({
    merchant_id: merchant_id as string,
    id: payment_method_id as string,
  }));
  const rows = await rowsByKey(tx, 'payment_methods', keys);
  return new Map(rows.map((row) => [row.id as string, row]));
}

function plan(services: Services, demand: Row, method: Row, now: Micros): Plan {
  const processor = services.processorOf(demand.mode as 'live' | 'sandbox');
  if (!processor) return refused(demand, 'processor_unreachable', now);
  if (method.discarded_at) return refused(demand, 'card_not_verified', now);
  if (method.external_state === 'failed') return refused(demand, 'authentication_failed', now);
  if (method.external_state !== 'confirmed') return refused(demand, 'card_not_verified', now);
  const id = uuidv7(now);
  const wire = processor.authorise.mapRequest({
    attempt_id: id,
    amount: Number(demand.amount_cents),
    currency: demand.amount_currency as string,
    capture: demand.capture_method === 'automatic',
    ...proofOf(demand, method),
  });
  const request: RelayRequest = {
    id,
    merchant_id: demand.merchant_id as string,
    mode: demand.mode as 'live' | 'sandbox',
    card_pan_token: method.card_pan_token as string,
    ...(method.card_cvv_token && { card_cvv_token: method.card_cvv_token }),
    ...(method.card_cryptogram_token && { card_cryptogram_token: method.card_cryptogram_token }),
    consumes_cvv: true,
    ...wire,
  };
  const purpose = {
    id,
    processor: processor.metadata.name,
    operation: 'authorise',
    payment_demand_id: demand.id as string,
  } as const;
  const row = newAttempt(services, purpose, demand, now);
  return {
    demand,
    decision: { trigger: 'submit', set: { due_at: null }, events: [] },
    attempt: { row, request },
  };
}

/** What says that the cardholder pays: the wallet's cryptogram, where it was given for this very payment, or what the bank said. */
function proofOf(demand: Row, method: Row): Pick<AuthoriseInput, 'authentication' | 'wallet'> {
  const cryptogram = demand.threeds_status === BY_WALLET;
  const kind = method.wallet as WalletKind | null | undefined;
  const wallet = kind && { wallet: { kind, cryptogram } };
  if (wallet && cryptogram) return wallet;
  const authentication = {
    version: demand.threeds_version ?? null,
    status: demand.threeds_status ?? null,
    eci: demand.eci ?? null,
    cryptogram: demand.threeds_cryptogram ?? null,
    directory_transaction_eid: demand.directory_transaction_eid ?? null,
  };
  return { authentication, ...wallet };
}

const refused = (demand: Row, failure_reason: DeclineCode, now: Micros): Plan => ({
  demand,
  decision: {
    trigger: 'refuse',
    set: { due_at: null, failure_reason, failed_at: instantText(now) },
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
  const changed = await applyChanges(services, tx, 'payment_demands', now, changes);
  await followCharges(services, tx, changed, now);
  const attempts = plans.flatMap(({ attempt }) => (attempt ? [attempt.row] : []));
  await insertRows(tx, services.catalog, 'attempts', attempts);
}
