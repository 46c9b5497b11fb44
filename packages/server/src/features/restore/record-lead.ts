import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { ofExpectedAmount } from '../attempts/other-amount.ts';
import { methodOf } from '../payments/card.ts';
import type { Lead } from './ask.ts';
import { countLead, type LearningRun, whyUnclear } from './run.ts';

/** A message that was found, or may exist, with the record that it belongs to. */
interface FoundLead {
  readonly lead: Lead;
  readonly isUnclear: boolean;
  /** The record in a sentence. */
  readonly label: string;
  /** Stores the attempt. Returns its payment; undefined if the record has changed since it was read. */
  adopt(): Promise<Row | undefined>;
}

/** Stores the attempt of a lead and records its result. A dry run only counts. Returns whether it was recorded. */
export async function recordLead(
  run: LearningRun,
  { lead, isUnclear, label, adopt }: FoundLead,
): Promise<boolean> {
  if (isUnclear) run.notes.push(`${label}: ${whyUnclear(lead)}`);
  if (run.is_dry) {
    countLead(run, lead);
    return false;
  }
  const payment = await adopt();
  if (!payment) return false;
  const key = { merchant_id: payment.merchant_id as string, id: lead.id };
  await run.recordPayment({ key, result: lead.result });
  const result = ofExpectedAmount({ ...payment, status: 'sending' }, lead.result);
  if (result !== lead.result && 'why' in result) run.notes.push(`${label}: ${result.why}`);
  countLead(run, { ...lead, result });
  return true;
}

/** The payment methods of payments or subscriptions, by key. */
export async function methodsOf(
  { services }: LearningRun,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Row>> {
  const keys = rows.filter((row) => row.payment_method_id).map(methodOf);
  const methods = await findRowsByKey(services.db, 'payment_methods', keys);
  return new Map(methods.map((row) => [keyText(row), row]));
}
