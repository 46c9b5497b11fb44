import { type ProcessorTransferKind, processorTransferKinds } from '@florin/contract/ledger.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isUuid, uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import { fineText, minorUnitsOf } from '../../../processors/port/reports/decimal.ts';
import {
  type QuarantinedRow,
  type ReportLine,
  type SettlementReport,
  sumOfFees,
} from '../../../processors/port/reports/reports.ts';

/** Rows to store of a report: lines, and transfers of the operator's ledger. */
export interface BookedReport {
  readonly lines: readonly Row[];
  readonly transfers: readonly Row[];
  readonly control: 'matches' | 'differs' | 'none';
  /** Batches whose rows do not sum to their payout, for people; null if there are none. */
  readonly difference: string | null;
}

type AnyLine = ReportLine | QuarantinedRow;

/** Books a report. The result depends on the report alone, so that a check can compute it again. */
export function bookReport(source: Row, report: SettlementReport, now: Micros): BookedReport {
  const lines = [...report.lines, ...report.quarantined]
    .sort((one, other) => one.line - other.line)
    .map(withWholeGross);
  const difference = differenceOf(lines);
  const hasPayout = lines.some((line) => isControl(line));
  return {
    lines: lines.map((line) => rowOf(source, line)),
    transfers: transferRowsOf(source, sumsOf(lines), now),
    control: difference ? 'differs' : hasPayout ? 'matches' : 'none',
    difference,
  };
}

/** Largest number of minor units that the database stores. */
const UNITS_MAX = 2n ** 63n - 1n;

/** Quarantines a movement with a part of a minor unit, or with more than any payment has. */
function withWholeGross(line: AnyLine): AnyLine {
  if (!('kind' in line) || !line.gross) return line;
  const units = minorUnitsOf(line.gross);
  if (units && units <= UNITS_MAX && units >= -UNITS_MAX) return line;
  const why = 'the gross amount is no whole number of minor units, zero, or too large';
  return { line: line.line, batch: line.batch, net: line.net, why };
}

const isControl = (line: AnyLine): boolean =>
  'kind' in line && (line.kind === 'payout' || line.kind === 'carried_over');

/** Net amounts by batch and currency that are not zero, if the report has payouts. */
function differenceOf(lines: readonly AnyLine[]): string | null {
  if (!lines.some(isControl)) return null;
  const sums = new Sums();
  for (const { batch, net } of lines) if (net) sums.add(batch, net.currency, net.amount);
  const parts = sums
    .entries()
    .map(
      ([batch, currency, amount]) =>
        `batch ${batch}: ${fineText({ amount, currency })} ${currency}`,
    );
  return parts.length === 0 ? null : parts.join(', ');
}

/** Sums by a name and a currency. */
class Sums {
  readonly #amounts = new Map<string, readonly [string, string, bigint]>();

  add(name: string, currency: string, amount: bigint): void {
    const key = JSON.stringify([name, currency]);
    const [, , before] = this.#amounts.get(key) ?? [name, currency, 0n];
    this.#amounts.set(key, [name, currency, before + amount]);
  }

  /** Sums that are not zero. */
  entries(): readonly (readonly [string, string, bigint])[] {
    return [...this.#amounts.values()].filter(([, , amount]) => amount !== 0n);
  }
}

/** Amounts that the lines move to the account `processor`, by kind and currency. */
function sumsOf(lines: readonly AnyLine[]): Sums {
  const sums = new Sums();
  const add = (kind: ProcessorTransferKind, currency: string, amount: bigint): void =>
    sums.add(kind, currency, amount);
  for (const line of lines) {
    if (!('kind' in line)) {
      if (line.net) add('unexplained', line.net.currency, line.net.amount);
      continue;
    }
    const { gross, net, fees } = line;
    for (const [part, fee] of Object.entries(fees))
      add(`fee_${part}` as ProcessorTransferKind, net.currency, -fee);
    if (gross) {
      add('payments', gross.currency, gross.amount);
      if (gross.currency === net.currency) continue;
      add('exchange', gross.currency, -gross.amount);
      add('exchange', net.currency, net.amount + sumOfFees(fees));
    } else if (line.kind !== 'fee') {
      add(line.kind, net.currency, net.amount);
    }
  }
  return sums;
}

const transferRowsOf = (source: Row, sums: Sums, now: Micros): Row[] =>
  sums.entries().map(([kind, currency, amount]) => {
    const account = processorTransferKinds[kind as ProcessorTransferKind];
    const [debit_account, credit_account] =
      amount > 0n ? ['processor', account] : [account, 'processor'];
    return {
      ...ownerOf(source),
      id: uuidv7(now),
      kind,
      debit_account,
      credit_account,
      amount: String(amount > 0n ? amount : -amount),
      currency,
      created_at: instantText(now),
    };
  });

const ownerOf = ({ id = null, processor_account_id = null, mode = null }: Row): Row => ({
  report_id: id,
  processor_account_id,
  mode,
});

function rowOf(source: Row, line: AnyLine): Row {
  const { net } = line;
  const base = {
    ...ownerOf(source),
    line: String(line.line),
    batch: line.batch.slice(0, 100),
    net_amount: net ? String(net.amount) : null,
    net_currency: net?.currency ?? null,
    is_flagged: 'false',
  };
  if (!('kind' in line))
    return { ...base, kind: 'quarantined', fees: '{}', why: line.why, outcome: 'quarantined' };
  const { kind, gross, fees } = line;
  const amount = gross && minorUnitsOf(gross);
  return {
    ...base,
    kind,
    authorisation_reference: line.authorisation_reference ?? null,
    processor_reference: line.processor_reference ?? null,
    attempt_id: uuidOf(line.attempt_id),
    demand_id: uuidOf(line.demand_id),
    gross_amount: gross ? String(gross.amount) : null,
    amount_cents: amount === undefined ? null : String(amount < 0n ? -amount : amount),
    amount_currency: gross?.currency ?? null,
    fees: JSON.stringify(
      Object.fromEntries(Object.entries(fees).map(([part, fee]) => [part, String(fee)])),
    ),
    outcome: gross ? null : 'batch',
  };
}

const uuidOf = (text: string | undefined): string | null =>
  text !== undefined && isUuid(text) ? text : null;
