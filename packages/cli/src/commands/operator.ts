import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const OPERATOR_USAGE = [
  '       npm run florin -- operator add EMAIL | remove EMAIL',
  '           grants or revokes the operator role of an account',
].join('\n');

const OPERATOR_HELP = `Usage:
${OPERATOR_USAGE}

Operators approve, review, quarantine and ban merchants in the dashboard, and see the health of the installation.
The account must exist: the person registers or accepts an invitation first. The change takes effect immediately.
Florin may be running.`;

/** Grants or revokes the operator role. Resolves with the exit code: 1 if the account does not exist. */
export async function operator(words: string[], options: AtDatabaseOptions): Promise<number> {
  const [action = '', email = '', ...rest] = words;
  if (words.includes('--help')) {
    options.print(OPERATOR_HELP);
    return 0;
  }
  if (!(action === 'add' || action === 'remove') || !email || rest.length > 0) {
    throw new PlainFailure(OPERATOR_HELP);
  }
  return atDatabase(options, 'set-operator.ts', { words: [action, email] });
}
