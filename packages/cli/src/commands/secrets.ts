import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const SECRETS_USAGE = `       npm run florin -- secrets rotate [--dry-run] [--again]
           replaces the secrets that sign links, sessions and cursors; the previous ones stay valid for 45 days
       npm run florin -- secrets end-overlap [--dry-run]
           ends the previous secrets now, after a theft
       npm run florin -- secrets reseal [--dry-run]
           seals every secret of the database with the first key of secrets.key or FLORIN_SECRETS_KEY`;

const SECRETS_HELP = `Usage:
${SECRETS_USAGE}

Florin may be running. Each command can be repeated after a crash, and is in the audit log.
--dry-run prints what would change, and changes nothing. "reseal" exits with 1 while a text lacks the newest key.
The vault has root keys of its own: "vault rotate".`;

/** Flags that each command takes. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  rotate: ['--dry-run', '--again'],
  'end-overlap': ['--dry-run'],
  reseal: ['--dry-run'],
};

/** Rotates or reseals the secrets of the server's database. Resolves with the exit code. */
export async function secrets(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(SECRETS_HELP);
    return 0;
  }
  const [command = '', ...flags] = words;
  const known = Object.hasOwn(FLAGS, command) ? FLAGS[command] : undefined;
  if (!known || !flags.every((flag) => known.includes(flag))) throw new PlainFailure(SECRETS_HELP);
  return atDatabase(options, 'secrets.ts', { words });
}
