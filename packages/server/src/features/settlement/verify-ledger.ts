import { transferKinds } from '@florin/contract/ledger.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { lastKeyOf, UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { findBalanceDifferences } from '../ledger/sql/balance-check.ts';
import { findHourDifferences } from '../ledger/sql/hour-check.ts';
import {
  type CheckOptions,
  findAccountDifferences,
  findLedgerDifferences,
  findPaymentDifferences,
} from '../ledger/sql/ledger-check.ts';
import { findOrphans, uncheckedTables } from '../ledger/sql/orphan-check.ts';
import { settlementFileDifferences } from './file-check.ts';
import { findProcessorDifferences, findReportDifferences } from './reports/sql/report-check.ts';

/** A rule of the ledger, and the rows that break it. */
interface Check {
  /** Plural noun of the checked rows, such as `transfers`. */
  readonly noun: string;
  readonly count: number;
  /** Rule that the rows must keep. */
  readonly rule: string;
  /** Rows that break the rule, at most `DIFFERENCES_MAX`. */
  readonly differences: readonly Row[];
}

interface Rule extends Pick<Check, 'noun' | 'rule'> {
  readonly find: (db: Db, options: CheckOptions) => Promise<Row[]>;
}

const RULES: readonly Rule[] = [
  {
    noun: 'ledger transfers',
    rule: 'debit and credit the accounts of their kinds, and all accounts sum to 0',
    find: (db, options) => findAccountDifferences(db, transferKinds, options),
  },
  {
    noun: 'ledger transfers',
    rule: 'match the payments, captures, refunds, disputes, settlements and payouts',
    find: findLedgerDifferences,
  },
  {
    noun: 'payment demands',
    rule: 'have the status and amounts that match their captures, refunds and disputes',
    find: findPaymentDifferences,
  },
  {
    noun: 'balances',
    rule: 'equal the sums of their transfers',
    find: findBalanceDifferences,
  },
  {
    noun: 'balances',
    rule: 'equal the sums of their hours',
    find: findHourDifferences,
  },
  {
    noun: 'settlement files',
    rule: 'have as many lines as their trailers state, all of known merchants',
    find: (db, { checked }) => settlementFileDifferences(db, checked),
  },
  {
    noun: 'processor reports',
    rule: 'have the transfers that their lines sum to',
    find: (db, { checked = () => {} }) => findProcessorDifferences(db, checked),
  },
  {
    noun: 'processor reports',
    rule: 'have rows that sum to their payouts, all of known payments',
    find: (db, { checked = () => {} }) => findReportDifferences(db, checked),
  },
  ...uncheckedTables.map((table) => ({
    noun: table.noun,
    rule: `have the records that they reference: ${table.references.map(({ target }) => target).join(', ')}`,
    find: (db: Db, options: CheckOptions) => findOrphans(db, table, options),
  })),
];

/** Rules whose rows belong to a merchant. */
const MERCHANT_RULES = RULES.filter(
  ({ noun }) => !/^(?:settlement files|processor reports)$/.test(noun),
);

/** Checks the records of one merchant. Returns lines about differences; none if all agree. */
export async function verifyMerchantLedger(db: Db, merchant_id: string): Promise<string[]> {
  const range = { after: { merchant_id, id: UUID_MIN }, through: lastKeyOf(merchant_id) };
  const lines: string[] = [];
  for (const { noun, rule, find } of MERCHANT_RULES) {
    const differences = await find(db, { range });
    if (differences.length > 0) lines.push(...linesOfCheck({ noun, count: 0, rule, differences }));
  }
  return lines;
}

/** Receives the number of rows that a check has read so far. */
export type CheckProgress = (noun: string, count: number) => void;

/**
 * Recalculates the ledger and its dependent values from the records, in slices. No statement reads more than a slice,
 * so the time of one does not grow with the installation. Florin may be running.
 */
export async function verifyLedger(
  db: Db,
  report: CheckProgress = () => {},
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const { noun, rule, find } of RULES) {
    let count = 0;
    const checked = (rows: number): void => {
      count += rows;
      report(noun, count);
    };
    const differences = await find(db, { checked });
    checks.push({ noun, count, rule, differences });
  }
  return checks;
}

/** Report of a check for people: a line for the result, then one for each difference. */
export const linesOfCheck = ({ noun, count, rule, differences }: Check): readonly string[] => [
  `${differences.length === 0 ? 'ok' : 'DIFFERS'}: ${count} ${noun} ${rule}`,
  ...differences.map(
    (row) =>
      `  ${Object.entries(row)
        .map(([name, value]) => `${name}=${value ?? 'none'}`)
        .join(' ')}`,
  ),
];
