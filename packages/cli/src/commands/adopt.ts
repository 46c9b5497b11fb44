import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const ADOPT_USAGE = '       npm run florin -- adopt network';

const ADOPT_HELP = `Usage:
${ADOPT_USAGE}

For a database of development whose card network is lost: the next start brings another one, with empty books. Payments,
refunds and captures of the sandbox that have no outcome yet fail then, as the new network does not know them, and settled
days before it lack their lines. Stop every Florin of this database first. Where the network still exists, set
FLORIN_SIMULATOR_URL to its address instead.`;

/** Lets a database take another card network. Resolves with the exit code. */
export async function adopt(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.say(ADOPT_HELP);
    return 0;
  }
  if (words.join(' ') !== 'network') throw new PlainFailure(ADOPT_HELP);
  return atDatabase(options, 'adopt.ts', words);
}
