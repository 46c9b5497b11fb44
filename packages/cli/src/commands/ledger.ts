import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const LEDGER_USAGE = '       npm run florin -- ledger verify';

const LEDGER_HELP = `Usage:
${LEDGER_USAGE}

Recomputes the ledger from the records, whether Florin is running or not, and names what differs; changes nothing. It checks that
  - transfers debit and credit the accounts of their kinds, so that all accounts together are 0;
  - there is a transfer for each payment, refund, dispute, settlement and payout that wants one, and no other;
  - payments have the state and the amounts that follow from their refunds and disputes;
  - balances are the sums of their transfers;
  - settlement files have the lines that their trailers say, all of known merchants.
The exit code is 1 where anything differs.`;

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
