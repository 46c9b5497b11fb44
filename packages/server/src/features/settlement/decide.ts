import {
  type SettlementDifference,
  type SettlementEntry,
  settledBy,
} from '@florin/contract/ledger.ts';
import { settlementExceptionMachine } from '@florin/contract/machines/settlement-exception.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { transferOf } from '../ledger/transfers.ts';
import { beginningOfDay, dayOf, endOfDay } from './days.ts';

/**
 * Seconds before the end of a UTC day from which transfers are expected in the next day's file.
 * Responses take time, and clocks differ.
 */
const GRACE_SECONDS = 60 * 60;

/** Period whose transfers must be in the file of `day`. */
export const settledRange = (day: string): { readonly from: string; readonly to: string } => ({
  from: instantText(beginningOfDay(day) - seconds(GRACE_SECONDS)),
  to: instantText(endOfDay(day) - seconds(GRACE_SECONDS)),
});

/**
 * Result of comparing a line of a file. `wait`: the attempt of the line has no outcome yet, or the merchant moves.
 * `moved`: another cell has settled the line.
 */
export type LineVerdict = 'settled' | 'wait' | 'moved' | 'unknown_merchant' | SettlementDifference;

/**
 * Compares a line with our records. `settledSubjects` has the subjects that earlier lines of the
 * batch settled.
 */
export function verdictOf(line: Row, settledSubjects: ReadonlySet<string>): LineVerdict {
  if (line.is_stopped === 't') return 'wait';
  const isFirst = !settledSubjects.has(subjectKeyOf(line));
  if (line.is_moved === 't' && isFirst) return 'moved';
  const isSettledByFile = line.is_settled === 't' && !isRequested(line);
  if (isSettledByFile || !isFirst) return 'duplicate';
  if (line.expected_cents === null) {
    if (line.is_open === 't' || line.source_id !== null) return 'wait';
    return line.merchant_id === null ? 'unknown_merchant' : 'missing_here';
  }
  if (line.expected_currency !== line.amount_currency) return 'currency_differs';
  return line.expected_cents === line.amount_cents ? 'settled' : 'amount_differs';
}

/** Whether a person had the line's subject settled before this file. */
const isRequested = ({ is_requested }: Row): boolean => is_requested === 't';

/** Key of a line's subject. Two lines can refer to the same subject by different references. */
const subjectKeyOf = ({ entry, merchant_id, source_id }: Row): string =>
  `${merchant_id} ${source_id} ${settledBy[entry as SettlementEntry].by}`;

/** Rows to write after a batch of lines was compared. */
export interface SettlementChanges {
  readonly lines: readonly Row[];
  /** Lines that take the place of a settlement on request, whose transfers exist. */
  readonly replacing: readonly Row[];
  readonly transfers: readonly Row[];
  readonly exceptions: readonly Row[];
}

/** Compares lines of the file of `day`, in order. */
export function compareLines(
  lines: readonly Row[],
  { mode = null, day = null }: Row,
  now: Micros,
): SettlementChanges {
  const settledSubjects = new Set<string>();
  const comparedLines = lines.map((line) => {
    const verdict = verdictOf(line, settledSubjects);
    if (verdict === 'settled' || verdict === 'moved') settledSubjects.add(subjectKeyOf(line));
    const lineRow: Row = { ...line, mode };
    return { line: lineRow, verdict };
  });
  const settledLines = comparedLines
    .filter(({ verdict }) => verdict === 'settled')
    .map(({ line }) => line);
  return {
    lines: comparedLines.map(({ line, verdict }) => ({
      day: line.day ?? null,
      line: line.line ?? null,
      outcome: outcomeOf(verdict),
      merchant_id: line.merchant_id ?? null,
      source_id: line.source_id ?? null,
    })),
    replacing: settledLines.filter(isRequested),
    transfers: settledLines
      .filter((line) => !isRequested(line))
      .map((line) => settlingTransfer(line, now)),
    exceptions: comparedLines
      .filter(({ verdict }) => outcomeOf(verdict) === 'exception')
      .map(({ line, verdict }) => exceptionOf(verdict as SettlementDifference, line, day, now)),
  };
}

function outcomeOf(verdict: LineVerdict): string | null {
  if (verdict === 'wait') return null;
  return verdict === 'settled' || verdict === 'moved' || verdict === 'unknown_merchant'
    ? verdict
    : 'exception';
}

/** Transfer that settles the subject of a line. */
export function settlingTransfer(line: Row, now: Micros): Row {
  const { by } = settledBy[line.entry as SettlementEntry];
  const { source_id: id = null, amount_cents = null, payment_demand_id = null } = line;
  return transferOf(by, { ...line, id }, amount_cents, payment_demand_id, now);
}

/** Exception for a transfer that the file of `day` lacks. */
export const missingInFile = (transfer: Row, day: string, now: Micros): Row =>
  exceptionOf(
    'missing_in_file',
    { ...transfer, expected_cents: transfer.amount_cents ?? null, amount_cents: null },
    day,
    now,
  );

/** Exception for a line of a file or report, or for a transfer. `line.day` goes before `day`. */
export function exceptionOf(
  kind: SettlementDifference,
  line: Row,
  day: string | null,
  now: Micros,
): Row {
  const at = instantText(now);
  return {
    merchant_id: line.merchant_id ?? null,
    mode: line.mode ?? null,
    id: uuidv7(now),
    status: settlementExceptionMachine.initial,
    kind,
    entry: line.entry ?? null,
    settled_on: line.day ?? day,
    processor_reference: line.reference ?? null,
    expected_cents: line.expected_cents ?? null,
    found_cents: line.amount_cents ?? null,
    amount_currency: line.amount_currency ?? null,
    payment_demand_id: line.payment_demand_id ?? null,
    source_id: line.source_id ?? null,
    created_at: at,
    updated_at: at,
  };
}

/** Smallest payout in minor units; smaller amounts wait for more. */
export const PAYOUT_LEAST_CENTS = 100;

/** Payout of a balance's available amount. Sandbox payouts are paid immediately. */
export function payoutOf(balance: Row, day: string, now: Micros): Row {
  const at = instantText(now);
  const { merchant_id = null, mode = null, amount_currency = null } = balance;
  const { paid_below = null, paid_without = null } = balance;
  return {
    merchant_id,
    mode,
    id: uuidv7(now),
    paid_below,
    paid_without,
    status: 'paid',
    amount_cents: balance.available_cents ?? null,
    amount_currency,
    settled_on: day,
    paid_at: at,
    created_at: at,
    updated_at: at,
  };
}

/** Next day. */
export const dayAfter = (day: string): string => dayOf(endOfDay(day));
