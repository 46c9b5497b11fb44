import { newRow } from '../../../jsonapi/parse-document/rows.ts';
import { createLimiter, type Limiter } from '../../../platform/concurrency/limiter.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { scopeOf } from '../../../platform/database/scope.ts';
import type { ChangedRow } from '../../../platform/database/transition.ts';
import { derivedId, uuidv7 } from '../../../platform/ids.ts';
import { writeEvents } from '../../../platform/outbox/events.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { insertAttempts } from '../../attempts/sql/insert-attempts.ts';
import { pickColumns } from '../../payments/columns.ts';
import { dueSet } from '../../payments/decide.ts';
import type { Message } from '../../payments/message.ts';
import { planNewPayments } from '../../payments/plan.ts';
import { eventAbout } from '../../records/emit.ts';
import { isConfirmed } from '../decide.ts';
import { firstCharge } from './billing.ts';
import type { ChargePlan } from './charge-plan.ts';
import { proofOf } from './decide-retry.ts';
import { chargedPeriod, insertPeriods } from './periods.ts';

/**
 * Limits of transactions that make or retry single charges: running ones, each with a connection,
 * and waiting ones.
 */
const CHARGING = { max: 4, waiting_max: 500 };

/** Limits concurrent charges, so that many requests leave connections for other work. */
export const createChargingLimiter = (): Limiter => createLimiter({ total: CHARGING });

/** Columns that a charge copies from its subscription. */
const inheritedColumns = [
  'amount_currency',
  'description',
  'email_receipt',
  'purchase_reference',
  'purchase_kind',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
  'payer_timezone',
  'buyer_id',
  'payer_id',
  'receiver_id',
  'payment_method_id',
  'billing_address_id',
  'shipping_address_id',
] as const;

/** A charge to store, with its subscription. */
export interface NewCharge {
  readonly subscription: Row;
  readonly plan: ChargePlan;
  /** Whether the charge is merchant-initiated, with a card that an earlier payment used. */
  readonly by_merchant?: boolean;
}

/** Makes the first charges of newly confirmed subscriptions, in the same transaction. */
export async function makeFirstCharges(
  services: Services,
  tx: Db,
  changedSubscriptions: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const charges = changedSubscriptions.flatMap(({ before, after }): NewCharge[] => {
    const billed = !isConfirmed(before) && isConfirmed(after) ? firstCharge(after, now) : undefined;
    if (!billed) return [];
    const { period, amount, prorated } = billed;
    const reason = prorated ? 'proration' : 'first';
    return [{ subscription: after, plan: { period, amount, credit_used: 0, reason } }];
  });
  await makeCharges(services, tx, charges, now);
}

/** Stores charges that are due now, with periods and events. Returns the charges. */
export async function makeCharges(
  services: Services,
  tx: Db,
  charges: readonly NewCharge[],
  now: Micros,
): Promise<Row[]> {
  const rows = charges.map((charge) => chargeOf(services, charge, now));
  await storeCharges(services, tx, { charges, rows, stored: rows }, now);
  return rows;
}

/**
 * Stores charges as already claimed for sending. Returns their messages, by subscription, to be sent after the commit.
 * `facts` has the first approved payments of the cards, from `findFirstApprovals`.
 */
export async function submitCharges(
  services: Services,
  tx: Db,
  charges: readonly NewCharge[],
  facts: Parameters<typeof planNewPayments>[3],
  now: Micros,
): Promise<ReadonlyMap<Row, Message>> {
  const rows = charges.map((charge) => chargeOf(services, charge, now));
  const submissions = await planNewPayments(services, tx, rows, facts, now);
  const storedDemands = rows.map((row) => submissions.get(row)?.demand ?? row);
  await storeCharges(services, tx, { charges, rows, stored: storedDemands }, now);
  const attempts = [...submissions.values()].map(({ attempt }) => attempt);
  await insertAttempts(tx, services.catalog, attempts);
  return new Map(
    charges.flatMap(({ subscription }, at) => {
      const message = submissions.get(rows[at] as Row)?.message;
      return message ? [[subscription, message] as const] : [];
    }),
  );
}

/** Charges as created, for events, and as stored. */
interface CreatedCharges {
  readonly charges: readonly NewCharge[];
  readonly rows: readonly Row[];
  readonly stored: readonly Row[];
}

async function storeCharges(
  services: Services,
  tx: Db,
  { charges, rows, stored }: CreatedCharges,
  now: Micros,
): Promise<void> {
  const model = services.models.get('payment_demands');
  await insertRows(tx, services.catalog, 'payment_demands', stored);
  const periods = charges.flatMap(({ plan }, at) =>
    plan.reason === 'change' ? [] : [chargedPeriod(rows[at] as Row, plan, now)],
  );
  await insertPeriods(services, tx, periods);
  const events = rows.map((row) => eventAbout(model, row, 'created', now));
  await writeEvents(tx, services.catalog, events);
}

/** Whether nothing was paid before this charge, and the charge is not for a change. */
const isFirstOfPeriod = ({ current_period_end_at }: Row, { reason }: ChargePlan): boolean =>
  !current_period_end_at && reason !== 'change';

/**
 * Id of the charge of a subscription's period. The id follows from the period, so that a restored Florin can ask whether the
 * period was charged.
 */
export function chargeId(subscription_id: string, period_start: Micros): string {
  const millis = Math.floor(period_start / 1_000);
  return derivedId(millis, 0, ['charge', subscription_id, instantText(period_start)]);
}

function chargeOf({ models }: Services, charge: NewCharge, now: Micros): Row {
  const { subscription, plan, by_merchant } = charge;
  const scope = scopeOf(subscription);
  const amount_cents = String(plan.amount - plan.credit_used);
  const isOfPeriod = plan.reason !== 'change';
  const id = isOfPeriod ? chargeId(subscription.id as string, plan.period.start) : uuidv7(now);
  const noInput = { attributes: {}, relationships: {} };
  return {
    ...newRow(models.get('payment_demands'), noInput, { id, scope, now }),
    ...pickColumns(subscription, inheritedColumns),
    ...(!by_merchant && proofOf(subscription, { amount_cents })),
    ...(by_merchant && { initiator: 'merchant' }),
    // A subscription counts as one use of its link, so only the first charge names the link.
    ...(isFirstOfPeriod(subscription, plan) && pickColumns(subscription, ['payment_link_id'])),
    payment_subscription_id: subscription.id as string,
    idempotency_key: id,
    amount_cents,
    credit_used_cents: String(plan.credit_used),
    ...(plan.worth !== undefined && { period_worth_cents: String(plan.worth) }),
    ...(plan.unused !== undefined && { unused_time_cents: String(plan.unused) }),
    billing_reason: plan.reason,
    period_start_at: instantText(plan.period.start),
    period_end_at: instantText(plan.period.end),
    confirmed: 'true',
    status: 'pending',
    ...dueSet(now),
  };
}
