import { transferKinds } from '@florin/contract/ledger.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { findBalanceDifferences } from '../ledger/sql/balances.ts';
import {
  countRecords,
  findAccountDifferences,
  findLedgerDifferences,
  findPaymentDifferences,
} from '../ledger/sql/ledger-check.ts';
import { findProcessorDifferences, findReportDifferences } from './reports/sql/lines.ts';
import { settlementFileDifferences } from './sql.ts';

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

/**
 * Recalculates the ledger and its dependent values from the records. Each check reads one snapshot
 * of the database.
 */
export async function verifyLedger(db: Db): Promise<readonly Check[]> {
  const counts = await countRecords(db);
  const check = (noun: string, rule: string, differences: readonly Row[]): Check => ({
    noun: noun.replaceAll('_', ' '),
    count: Number(counts[noun]),
    rule,
    differences,
  });
  return [
    check(
      'ledger_transfers',
      'debit and credit the accounts of their kinds, and all accounts sum to 0',
      await findAccountDifferences(db, transferKinds),
    ),
    check(
      'ledger_transfers',
      'match the payments, captures, refunds, disputes, settlements and payouts',
      await findLedgerDifferences(db),
    ),
    check(
      'payment_demands',
      'have the status and amounts that match their captures, refunds and disputes',
      await findPaymentDifferences(db),
    ),
    check('balances', 'equal the sums of their transfers', await findBalanceDifferences(db)),
    check(
      'settlement_files',
      'have as many lines as their trailers state, all of known merchants',
      await settlementFileDifferences(db),
    ),
    check(
      'processor_transfers',
      'equal the sums of the lines of their reports',
      await findProcessorDifferences(db),
    ),
    check(
      'processor_reports',
      'have rows that sum to their payouts, all of known payments',
      await findReportDifferences(db),
    ),
  ];
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
