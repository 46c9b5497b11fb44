import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase, isAtMostDryRun } from './at-database.ts';

export const ADOPT_USAGE = [
  '       npm run florin -- adopt network | secrets-key [--dry-run]',
  '           lets a database accept another card network or another secrets key',
].join('\n');

const ADOPT_HELP = `Usage:
${ADOPT_USAGE}

Stop every Florin of the database first.

network      for a development database whose card network is lost
  The next start creates an empty network. Sandbox payments, refunds and captures without an outcome fail. They are not
  sent again, although the old network may have approved them. Days before the new network have no settlement lines.
  If the network still exists, set FLORIN_SIMULATOR_URL to its address instead.

secrets-key  for a database whose secrets.key is lost
  Florin encrypts with the key of this data directory from now on, and creates it if absent. Secrets of the lost key
  stay unreadable: rotate the secret of each webhook subscription, and members set up their authenticators again.
  Captures and refunds without an outcome are never sent again, because their idempotency keys are lost: the processor
  or an operator tells their outcome. Refused while a Florin of the database runs.
  If another machine or a backup has the key, copy secrets.key from there instead.`;

const ADOPTED = ['network', 'secrets-key'];

/** Lets a database accept another card network or another secret key. Resolves with the exit code. */
export async function adopt(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(ADOPT_HELP);
    return 0;
  }
  const [subject = '', ...flags] = words;
  if (!ADOPTED.includes(subject) || !isAtMostDryRun(flags)) throw new PlainFailure(ADOPT_HELP);
  return atDatabase(options, 'adopt.ts', { words });
}
