import { PlainFailure } from '../kernel/plain-failure.ts';
import { type AtDatabaseOptions, atDatabase } from './at-database.ts';

export const OPERATOR_USAGE = '       npm run florin -- operator add EMAIL | remove EMAIL';

const OPERATOR_HELP = `Usage:
${OPERATOR_USAGE}

Makes the account of an address an operator, or no longer one, whether Florin is running or not. Operators look at every
merchant in the dashboard, approve, review and hold them back, and see how the installation is. The account must be there:
whoever is to be an operator registers or is invited first. It counts at once.`;

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
  return atDatabase(options, 'set-operator.ts', [action, email]);
}
