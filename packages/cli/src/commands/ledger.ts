import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const LEDGER_USAGE = [
  '       npm run florin -- ledger verify',
  '           recalculates the ledger from the records and reports differences; changes nothing',
].join('\n');

const LEDGER_HELP = `Usage:
${LEDGER_USAGE}

Florin may be running. The command reads slices of 10,000 rows, prints its progress, and checks that
  - transfers debit and credit the accounts of their kinds, and all accounts sum to 0;
  - each payment, refund, dispute, settlement and payout has its transfers, and no others;
  - the status and amounts of payments match their refunds and disputes;
  - balances equal the sums of their transfers, and of their hours;
  - settlement files have as many lines as their trailers state, all of known merchants;
  - transfers of processors' reports equal the sums of their lines;
  - processors' reports have rows that sum to their payouts, all of known payments.
The exit code is 1 for any difference.`;

/**
 * Verifies the ledger of a data directory, whether Florin is running or not. Resolves with the exit code: 1 for any
 * difference.
 */
export async function ledger(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(LEDGER_HELP);
    return 0;
  }
  if (words.join(' ') !== 'verify') throw new PlainFailure(LEDGER_HELP);
  return atDatabase(options, 'verify-ledger.ts');
}
