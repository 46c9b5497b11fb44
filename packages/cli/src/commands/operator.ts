import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase, isAtMostDryRun } from './at-database.ts';

export const OPERATOR_USAGE = [
  '       npm run florin -- operator invite EMAIL | add EMAIL | remove EMAIL [--dry-run]',
  '           invite: prints a link with which a new operator chooses a password, once, within a day',
  '           add, remove: grants or revokes the operator role of an account',
].join('\n');

const OPERATOR_HELP = `Usage:
${OPERATOR_USAGE}

Operators approve, review, quarantine and ban merchants in the dashboard, and see the health of the installation.
An invited person needs no account and no mail server. "add" needs an account: the person registers or accepts an
invitation first. The change takes effect immediately. Florin may be running.
--dry-run changes nothing, and prints no link that works.`;

const ACTIONS = ['invite', 'add', 'remove'];

/** Invites an operator, or grants or revokes the role. Resolves with the exit code: 1 if the account does not exist. */
export async function operator(words: string[], options: AtDatabaseOptions): Promise<number> {
  const [action = '', email = '', ...rest] = words;
  if (words.includes('--help')) {
    options.print(OPERATOR_HELP);
    return 0;
  }
  if (!ACTIONS.includes(action) || !email || email.startsWith('-') || !isAtMostDryRun(rest))
    throw new PlainFailure(OPERATOR_HELP);
  return atDatabase(options, 'set-operator.ts', { words: [action, email, ...rest] });
}
