import { problem } from '@florin/contract/errors.ts';
import type { AccountName } from '@florin/contract/protocol/processor-command.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { ACCOUNTS_MAX } from '../accounts.ts';
import { selectAccounts } from '../sql.ts';

/** Finds the row of an account. Removed accounts have only their id. Throws 404 that says how to name the account. */
export async function findNamedAccount(db: Db, name: AccountName): Promise<Row> {
  const rows = await selectAccounts(db, ACCOUNTS_MAX);
  const found = rows.filter((row) => isNamed(row, name));
  if (found.length > 1)
    throw problem('not_found', `${name.account} names an account of each mode. ${ADD_MODE}`);
  if (found[0]) return found[0];
  const modeText = name.mode ? ` of ${name.mode} mode` : '';
  throw problem('not_found', `No account${modeText} has the id or name ${name.account}. ${LIST}`);
}

const ADD_MODE = 'Add --mode live or --mode sandbox.';
const LIST = 'List the accounts: npm run florin -- processors list';

const isNamed = (row: Row, { account, mode }: AccountName): boolean =>
  (mode === undefined || row.mode === mode) &&
  (row.id === account || (row.name === account && row.status !== 'removed'));
