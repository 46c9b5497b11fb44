import { newRow } from '../../jsonapi/parse-document/rows.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow, insertRows } from '../../platform/database/rows.ts';
import { writeEvents } from '../../platform/outbox/events.ts';
import type { PastChange } from '../../processors/port/history.ts';
import type { Processor } from '../../processors/port/processor.ts';
import { sendMessage } from '../../processors/wire/send-message.ts';
import { dueSet } from '../payments/decide.ts';
import { inquireThoroughly } from '../payments/resolve.ts';
import { eventAbout } from '../records/emit.ts';
import { adoptAttempt, adoptPayment } from './adopt.ts';
import type { Lead } from './ask.ts';
import { endKnownHold } from './end-hold.ts';
import { storePastFollowUp } from './follow-ups/store-follow-up.ts';
import { recordLead } from './record-lead.ts';
import { type LearningRun, labelOf, leaveToPerson } from './run.ts';
import { findAnyAttempt, hasMerchant } from './sql/known-records.ts';

/** Time by which a list begins before the restored time, since clocks differ. */
const MARGIN_MS = 60_000;

/** Records what a processor with a list approved after the restored time, and the database does not know. */
export async function learnHistory(run: LearningRun, processor: Processor): Promise<void> {
  const { history } = processor;
  if (!history) return;
  const since = new Date(Date.parse(run.restored_to) - MARGIN_MS).toISOString();
  for (let after = 0; ; ) {
    const request = history.mapRequest({ since, after });
    const sender = { merchant_id: '', mode: 'sandbox' } as const;
    const page = history.mapAnswer(await sendMessage(run.services, request, sender));
    if (page.result !== 'page')
      throw new Error(`${processor.metadata.display_name} did not list what happened: ${page.why}`);
    for (const change of page.changes) await learnChange(run, processor, change);
    const last = page.changes.at(-1);
    if (!last) return;
    after = last.position;
    await run.progress();
  }
}

async function learnChange(
  run: LearningRun,
  processor: Processor,
  change: PastChange,
): Promise<void> {
  const attempt = await findAnyAttempt(run.services.db, change.attempt_id);
  if (change.kind === 'authorisation') {
    if (!attempt && !run.found.has(change.reference)) await recordApproval(run, processor, change);
  } else if (change.kind === 'reversal') {
    const doubt = attempt && (await endKnownHold(run, attempt));
    if (doubt !== undefined) await leaveToPerson(run, attempt as Row, doubt);
  } else if (!attempt) {
    // In a dry run its payment may be one that would be created.
    if (!run.is_dry)
      run.notes.push(`${change.kind} ${change.reference} belongs to no payment of this Florin`);
  } else if (await storePastFollowUp(run, { ...change, kind: change.kind }, attempt))
    run.counts.follow_ups += 1;
}

/** Records an authorisation that the database does not know, for the payment that it had. */
async function recordApproval(
  run: LearningRun,
  processor: Processor,
  change: PastChange,
): Promise<void> {
  const { services, notes } = run;
  const { order, reference: id, amount, currency } = change;
  if (!order || !(await hasMerchant(services.db, order.merchant_id))) {
    notes.push(
      `payment ${id} of ${amount} ${currency} has no merchant: refund it, or book it yourself`,
    );
    return;
  }
  const scope = { merchant_id: order.merchant_id, mode: 'sandbox' } as const;
  const result = await inquireThoroughly(services, processor, { ...scope, id });
  if (result.result !== 'approved' && result.result !== 'partly_approved') return;
  // The list tells the amount too, where the answer tells none.
  const priced = result.result === 'approved' ? { money: { amount, currency }, ...result } : result;
  const lead = { id, candidate: { processor }, result: priced };
  const payment = await findRow(services.db, 'payment_demands', scope, order.payment_id);
  if (payment) await recordKnown(run, payment, lead);
  else await createPayment(run, change, lead);
}

/** Payments that may be sent. Others have an outcome, or an attempt without one. */
const SENDABLE: ReadonlySet<unknown> = new Set(['incomplete', 'ready', 'pending', 'failed']);

/** Records the charge of a payment that nobody asked about, such as an old order that was paid after the restored time. */
async function recordKnown(run: LearningRun, payment: Row, lead: Lead): Promise<void> {
  if (!SENDABLE.has(payment.status)) {
    run.notes.push(`${labelOf(payment)} is ${payment.status}, and attempt ${lead.id} was approved`);
    return;
  }
  const label = labelOf(payment);
  const adopt = () => adoptPayment(run, payment, lead);
  await recordLead(run, { lead, isUnclear: false, label, adopt });
}

/** Creates a payment that the database does not know, under the id that it had. */
async function createPayment(run: LearningRun, change: PastChange, lead: Lead): Promise<void> {
  const { services, counts } = run;
  const { merchant_id, payment_id } = change.order as NonNullable<PastChange['order']>;
  counts.created += 1;
  if (run.is_dry) return;
  await services.db.transaction(async (tx) => {
    const payment = await insertPayment(run, tx, change, payment_id);
    await adoptAttempt(services, tx, payment, lead);
  });
  await run.recordPayment({ key: { merchant_id, id: lead.id }, result: lead.result });
}

async function insertPayment(
  { services }: LearningRun,
  tx: Db,
  { amount, currency, final, order }: PastChange,
  id: string,
): Promise<Row> {
  const now = services.clock.now();
  const model = services.models.get('payment_demands');
  const scope = { merchant_id: order?.merchant_id as string, mode: 'sandbox' } as const;
  const row: Row = {
    ...newRow(model, { attributes: {}, relationships: {} }, { id, scope, now }),
    idempotency_key: id,
    amount_cents: String(amount),
    amount_currency: currency,
    capture_method: final ? 'automatic' : 'manual',
    confirmed: 'true',
    status: 'pending',
    ...dueSet(now),
  };
  await insertRows(tx, services.catalog, 'payment_demands', [row]);
  await writeEvents(tx, services.catalog, [eventAbout(model, row, 'created', now)]);
  return row;
}
