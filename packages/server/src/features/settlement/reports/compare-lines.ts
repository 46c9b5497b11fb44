import type { SettlementEntry, TransferKind } from '@florin/contract/ledger.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import type { MovementKind } from '../../../processors/port/reports/reports.ts';
import { transferOf } from '../../ledger/transfers.ts';
import { dayOf } from '../days.ts';
import { exceptionOf } from '../decide.ts';

/** Seconds that a line waits for an outcome here, such as a notification that is late. */
export const WAIT_SECONDS = 24 * 60 * 60;
/** Seconds that a line waits for an outcome that an operator must find. */
export const PROOF_WAIT_SECONDS = 30 * WAIT_SECONDS;
/** Attempts whose approval nobody knows here. A report with one proves the approval. */
const UNKNOWN_STATUSES: readonly unknown[] = ['unknown', 'reversing', 'abandoned'];

/** Effect of a kind of line. */
interface LineEffect {
  /** Kind of the exception's entry. */
  readonly entry: SettlementEntry;
  /** Transfer that settles the line. */
  readonly by?: TransferKind;
  /** Transfer that settles a second line of the same dispute, and the one that must come before it. */
  readonly second?: { readonly by: TransferKind; readonly after: TransferKind };
}

const effects: Readonly<Record<MovementKind, LineEffect>> = {
  capture: { entry: 'capture', by: 'settled' },
  refund: { entry: 'refund', by: 'settled_back' },
  chargeback: {
    entry: 'dispute',
    by: 'settled_back',
    second: { by: 'second_settled_back', after: 'settled_again' },
  },
  chargeback_reversed: {
    entry: 'dispute',
    by: 'settled_again',
    second: { by: 'second_settled_again', after: 'second_settled_back' },
  },
  capture_reversed: { entry: 'capture' },
  refund_reversed: { entry: 'refund' },
};

/**
 * Result of comparing a line. `proof`: it waits, and shows an outcome that nobody knows here. `moved`: another cell has
 * settled the line.
 */
export type ReportVerdict =
  | 'settled'
  | 'moved'
  | 'wait'
  | 'proof'
  | 'unmatched'
  | 'missing_here'
  | 'amount_differs'
  | 'currency_differs'
  | 'duplicate'
  | 'reversed';

/** Compares a line with our records. `settledSubjects` has what earlier lines of the slice settled. */
export function reportVerdictOf(
  line: Row,
  settledSubjects: ReadonlySet<string>,
  now: Micros,
): ReportVerdict {
  const { by } = effects[line.kind as MovementKind];
  const age = now - microsOf(line.created_at as string);
  const isFresh = age < seconds(WAIT_SECONDS);
  if (!line.merchant_id) return isFresh ? 'wait' : 'unmatched';
  if (line.is_stopped === 't') return 'wait';
  if (!by) return 'reversed';
  if (isMoved(line, settledSubjects)) return 'moved';
  if (isSettled(line, by, settledSubjects)) {
    const repetition = repetitionOf(line, settledSubjects, age);
    if (repetition) return repetition;
  }
  if (!line.expected_cents) {
    const isProof = UNKNOWN_STATUSES.includes(line.attempt_status);
    if (isProof && age < seconds(PROOF_WAIT_SECONDS)) return 'proof';
    return isFresh ? 'wait' : 'missing_here';
  }
  if (line.expected_currency !== line.amount_currency) return 'currency_differs';
  return line.expected_cents === line.amount_cents ? 'settled' : 'amount_differs';
}

/** Whether a line of another cell proves the transfer of the line, and no line stands for it here. */
function isMoved(line: Row, settledSubjects: ReadonlySet<string>): boolean {
  const { by, second } = effects[line.kind as MovementKind];
  const kind = [by, second?.by][Number(line.moved_lines ?? 0)];
  const isProved = kind !== undefined && (line.moved_by ?? '').split(' ').includes(kind);
  return isProved && !settledSubjects.has(movedSubjectOf(line));
}

const movedSubjectOf = (line: Row): string =>
  `${line.merchant_id} ${line.source_id} moved ${line.kind}`;

/**
 * Why a line cannot settle its subject again. Undefined for the second chargeback of a dispute, and its return, once
 * the first one is settled as returned and the decision is known.
 */
function repetitionOf(
  line: Row,
  settledSubjects: ReadonlySet<string>,
  age: Micros,
): ReportVerdict | undefined {
  const { second } = effects[line.kind as MovementKind];
  if (!second || isSettled(line, second.by, settledSubjects)) return 'duplicate';
  const isFresh = age < seconds(WAIT_SECONDS);
  if (!isSettled(line, second.after, settledSubjects)) return isFresh ? 'wait' : 'duplicate';
  if (line.has_second_round === 't') return undefined;
  if (isFresh) return 'wait';
  return age < seconds(PROOF_WAIT_SECONDS) ? 'proof' : 'duplicate';
}

/** Whether the ledger, or an earlier line of the slice, has a transfer of the line's subject. */
const isSettled = (line: Row, by: TransferKind, settledSubjects: ReadonlySet<string>): boolean =>
  settledSubjects.has(subjectOf(line, by)) || (line.settled_by ?? '').split(' ').includes(by);

const subjectOf = ({ merchant_id, source_id }: Row, by: TransferKind): string =>
  `${merchant_id} ${source_id} ${by}`;

/** Transfer that settles a line: of a second chargeback, if the first one is settled. */
function settlingKindOf(line: Row, settledSubjects: ReadonlySet<string>): TransferKind {
  const { by, second } = effects[line.kind as MovementKind];
  const isSecond = second && by && isSettled(line, by, settledSubjects);
  return (isSecond ? second.by : by) as TransferKind;
}

/** Rows to write after a slice of lines was compared. */
export interface ReportChanges {
  readonly lines: readonly Row[];
  readonly transfers: readonly Row[];
  readonly exceptions: readonly Row[];
}

/** Compares lines of a report, in order. */
export function compareReportLines(lines: readonly Row[], now: Micros): ReportChanges {
  const settledSubjects = new Set<string>();
  const compared = lines.map((line) => {
    const verdict = reportVerdictOf(line, settledSubjects, now);
    if (verdict === 'moved') settledSubjects.add(movedSubjectOf(line));
    if (verdict !== 'settled') return { line, verdict };
    const by = settlingKindOf(line, settledSubjects);
    settledSubjects.add(subjectOf(line, by));
    return { line, verdict, by };
  });
  return {
    lines: compared.map(({ line, verdict }) => lineAfter(line, verdict, now)),
    transfers: compared.flatMap(({ line, by }) => (by ? [settlingTransfer(line, by, now)] : [])),
    exceptions: compared.flatMap(({ line, verdict }) => exceptionsOf(line, verdict, now)),
  };
}

function lineAfter(line: Row, verdict: ReportVerdict, now: Micros): Row {
  const { report_id = null, line: number = null, merchant_id = null, source_id = null } = line;
  return {
    report_id,
    line: number,
    outcome: outcomeOf(verdict),
    merchant_id,
    source_id,
    is_flagged: String(line.is_flagged === 't' || verdict === 'proof'),
    compared_at: instantText(now),
  };
}

function outcomeOf(verdict: ReportVerdict): string | null {
  if (verdict === 'wait' || verdict === 'proof') return null;
  return verdict === 'settled' || verdict === 'moved' || verdict === 'unmatched'
    ? verdict
    : 'exception';
}

function settlingTransfer(line: Row, by: TransferKind, now: Micros): Row {
  const { source_id: id = null, amount_cents, payment_demand_id } = line;
  return transferOf(by, { ...line, id }, amount_cents, payment_demand_id, now);
}

/** Exceptions of a line: one at most, and one only while it waits. */
function exceptionsOf(line: Row, verdict: ReportVerdict, now: Micros): Row[] {
  const { entry } = effects[line.kind as MovementKind];
  const reference =
    line.processor_reference ?? line.authorisation_reference ?? line.attempt_id ?? null;
  const subject = { ...line, entry, reference, day: dayOf(now) };
  switch (verdict) {
    case 'settled':
    case 'moved':
    case 'wait':
    case 'unmatched':
      return [];
    case 'proof':
      if (line.is_flagged === 't') return [];
      // Without a source, so that the payment is still expected in a report once its outcome is known.
      return [exceptionOf('outcome_unknown', { ...subject, source_id: null }, null, now)];
    default:
      return [exceptionOf(verdict, subject, null, now)];
  }
}
