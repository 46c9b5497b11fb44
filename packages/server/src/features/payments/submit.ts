import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { isPassingError } from '../../kernel/batcher.ts';
import { instantText, type Micros, seconds } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { lockDue } from '../../store/claim.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { insertRows, rowsByKey } from '../../store/rows.ts';
import { type Change, keyText, lockRows, transition } from '../../store/transition.ts';
import type { Decision } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';

/** Payments that may be taken up at once. */
export const SUBMIT_BATCH_MAX = 256;
/** How long a payment is put aside that cannot be taken up. */
export const PUT_ASIDE_SECONDS = 60;

/** What a look at the due payments came to. */
export interface Submitted {
  /** The messages that are now to be sent. */
  readonly requests: readonly RelayRequest[];
  /** How many payments were looked at; those that were refused or put aside have no message. */
  readonly taken: number;
}

interface Plan {
  readonly demand: Row;
  readonly decision: Decision;
  /** The attempt and its message; absent where the payment is refused before it is sent. */
  readonly attempt?: { readonly row: Row; readonly request: RelayRequest };
}

/**
 * Takes up at most `limit` payments that are due: each gets its attempt row and becomes `processing` in one
 * transaction, before its message is sent. One that fails the transaction is found and put aside alone.
 */
export async function submitDue(services: Services, limit: number): Promise<Submitted> {
  let demands: Row[] = [];
  try {
    const requests = await services.db.transaction(async (tx) => {
      const now = services.clock.now();
      demands = await lockDue(tx, { table: 'payment_demands', now: instantText(now), limit });
      return submitLocked(services, tx, demands, now);
    });
    if (requests.length < demands.length) services.wake.deliver.raise();
    return { requests, taken: demands.length };
  } catch (error) {
    const [first, ...others] = demands;
    if (!first || isPassingError(error)) throw error;
    if (others.length > 0) return submitApart(services, demands.length);
    await putAside(services, first, error as Error);
    return { requests: [], taken: 1 };
  }
}

/** Takes up payments one by one. Those before an error are committed, so their messages are not lost with it. */
async function submitApart(services: Services, count: number): Promise<Submitted> {
  const requests: RelayRequest[] = [];
  for (let taken = 0; taken < count; taken++) {
    try {
      requests.push(...(await submitDue(services, 1)).requests);
    } catch (error) {
      if (requests.length === 0) throw error;
      return { requests, taken };
    }
  }
  return { requests, taken: count };
}

async function putAside(
  { db, catalog, clock, logger }: Services,
  { merchant_id, id, due_at }: Row,
  { message }: Error,
): Promise<void> {
  const key = { merchant_id: merchant_id as string, id: id as string };
  logger.error({ payment_demand: id, err: { message } }, 'a payment cannot be submitted');
  await db.transaction(async (tx) => {
    const now = clock.now();
    const before = (await lockRows(tx, 'payment_demands', [key])).get(keyText(key));
    if (!before || before.due_at !== due_at) return;
    const set = { due_at: instantText(now + seconds(PUT_ASIDE_SECONDS)) };
    await transition(tx, catalog, { table: 'payment_demands', at: instantText(now) }, [
      { before, set },
    ]);
  });
}

async function submitLocked(
  services: Services,
  tx: Db,
  demands: readonly Row[],
  now: Micros,
): Promise<RelayRequest[]> {
  if (demands.length === 0) return [];
  const methods = await methodsOf(tx, demands);
  const plans = demands.map((demand) =>
    plan(services, demand, methods.get(demand.payment_method_id as string) as Row, now),
  );
  await applyPlans(services, tx, plans, now);
  return plans.flatMap(({ attempt }) => (attempt ? [attempt.request] : []));
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
  if (method.external_state === 'failed') return refused(demand, 'authentication_failed', now);
  if (method.external_state !== 'confirmed') return refused(demand, 'card_not_verified', now);
  const id = uuidv7(now);
  const wire = processor.authorise.mapRequest({
    attempt_id: id,
    amount: Number(demand.amount_cents),
    currency: demand.amount_currency as string,
    capture: demand.capture_method === 'automatic',
    authentication: {
      version: demand.threeds_version ?? null,
      status: demand.threeds_status ?? null,
      eci: demand.eci ?? null,
      cryptogram: demand.threeds_cryptogram ?? null,
      directory_transaction_eid: demand.directory_transaction_eid ?? null,
    },
  });
  const request: RelayRequest = {
    id,
    merchant_id: demand.merchant_id as string,
    mode: demand.mode as 'live' | 'sandbox',
    card_pan_token: method.card_pan_token as string,
    ...(method.card_cvv_token && { card_cvv_token: method.card_cvv_token }),
    consumes_cvv: true,
    ...wire,
  };
  const row = attemptRow(services, demand, id, processor.metadata.name, now);
  return {
    demand,
    decision: { trigger: 'submit', set: { due_at: null }, events: [] },
    attempt: { row, request },
  };
}

const refused = (demand: Row, failure_reason: DeclineCode, now: Micros): Plan => ({
  demand,
  decision: {
    trigger: 'refuse',
    set: { due_at: null, failure_reason, failed_at: instantText(now) },
    events: ['failed'],
  },
});

function attemptRow(
  { config }: Services,
  demand: Row,
  id: string,
  processor: string,
  now: Micros,
): Row {
  const at = instantText(now);
  return {
    merchant_id: demand.merchant_id as string,
    mode: demand.mode as string,
    id,
    payment_demand_id: demand.id as string,
    processor,
    operation: 'authorise',
    status: attemptMachine.initial,
    amount_cents: demand.amount_cents as string,
    amount_currency: demand.amount_currency as string,
    inquiries: '0',
    due_at: instantText(now + config.attempt_lease_ms * 1000),
    created_at: at,
    updated_at: at,
  };
}

async function applyPlans(
  { catalog, models }: Services,
  tx: Db,
  plans: readonly Plan[],
  now: Micros,
): Promise<void> {
  const model = models.get('payment_demands');
  const changes = plans.map(({ demand, decision }): Change & Decision => ({
    before: demand,
    ...decision,
  }));
  await transition(
    tx,
    catalog,
    {
      table: 'payment_demands',
      machine: paymentDemandMachine,
      at: instantText(now),
      eventsOf: (change, row) =>
        (change as Change & Decision).events.map((slug) => eventAbout(model, row, slug, now)),
    },
    changes,
  );
  const attempts = plans.flatMap(({ attempt }) => (attempt ? [attempt.row] : []));
  await insertRows(tx, catalog, 'attempts', attempts);
}
