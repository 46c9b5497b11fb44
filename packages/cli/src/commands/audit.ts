import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase, isAtMostDryRun } from './at-database.ts';

export const AUDIT_USAGE = `       npm run florin -- audit verify [HEAD]
           verifies the audit log and the records that it is about; HEAD also compares an earlier head
       npm run florin -- audit export FILE
           writes every entry to a new file, a line of JSON each, and prints the head
       npm run florin -- audit accept [--dry-run]
           lets the checks continue after a fault that you have examined`;

const AUDIT_HELP = `Usage:
${AUDIT_USAGE}

The audit log has what members, operators, API keys (in settings) and commands did. Each entry has the hash of the
one before. Keep the printed heads elsewhere: an attacker with the database could replace the whole log.
Florin may be running. "verify" exits with 1 for any fault. The vault has an audit log of its own: "vault audit".`;

/** Words after the command: how many each takes at least and at most. */
const WORDS: Readonly<Record<string, readonly [number, number]>> = {
  verify: [0, 1],
  export: [1, 1],
  accept: [0, 1],
};

/** Verifies or exports the audit log. Resolves with the exit code: 1 for any fault. */
export async function audit(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(AUDIT_HELP);
    return 0;
  }
  const [command = '', ...rest] = words;
  const limits = Object.hasOwn(WORDS, command) ? WORDS[command] : undefined;
  if (!limits || rest.length < limits[0] || rest.length > limits[1])
    throw new PlainFailure(AUDIT_HELP);
  if (command === 'accept' && !isAtMostDryRun(rest)) throw new PlainFailure(AUDIT_HELP);
  return atDatabase(options, 'audit.ts', { words });
}
