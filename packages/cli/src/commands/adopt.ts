import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const ADOPT_USAGE = '       npm run florin -- adopt network | secrets-key';

const ADOPT_HELP = `Usage:
${ADOPT_USAGE}

Stop every Florin of the database first.

network: for a database of development whose card network is lost. The next start brings another one, with empty books.
Payments, refunds and captures of the sandbox that have no outcome yet fail then, as the new network does not know them. They
are not sent again; the old network may have approved them. Settled days before the new network lack their lines. Where the network still exists, set FLORIN_SIMULATOR_URL to its address instead.

secrets-key: for a database whose secrets.key is lost for good. The key of this data directory, which is made where there is
none, seals from now on. What the lost key sealed stays closed: webhook subscriptions need rotate_secret, people set their
authenticators up again. Where another machine or a backup has the key, copy secrets.key from there instead.`;

const ADOPTED = ['network', 'secrets-key'];

/** Lets a database accept another card network or another secret key. Resolves with the exit code. */
export async function adopt(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(ADOPT_HELP);
    return 0;
  }
  if (words.length !== 1 || !ADOPTED.includes(words[0] as string))
    throw new PlainFailure(ADOPT_HELP);
  return atDatabase(options, 'adopt.ts', words);
}
