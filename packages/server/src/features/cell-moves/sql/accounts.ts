import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

const COLUMNS =
  'a.id, a.name, a.mode, a.processor, a.identity, a.merchant_id, a.status, a.currencies, a.networks, a.descriptor';

/** SQL: a rule for the merchant `$1` alone names account `a`. */
const IN_RULES = `exists (select from routing_rules r where r.merchant_id = $1 and r.accounts ? a.id::text)`;

/**
 * Accounts at processors that records and rules of the merchant name, and those for the merchant alone. `in_rules`: a rule
 * for the merchant alone names the account.
 */
export const readUsedAccounts = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select ${COLUMNS}, ${IN_RULES} as in_rules from processor_accounts a where a.id in (
       select processor_account_id from attempts where merchant_id = $1 and processor_account_id is not null
       union select processor_account_id from disputes where merchant_id = $1 and processor_account_id is not null
       union select processor_account_id from processor_details
         where merchant_id = $1 and processor_account_id is not null)
       or a.merchant_id = $1 and a.status in ('enabled', 'paused') or a.status <> 'removed' and ${IN_RULES}
     order by a.name`,
    [merchant_id],
  );

/** Accounts at processors of a cell that are not removed. */
export const readAccounts = (cell: Db): Promise<Row[]> =>
  cell.query(
    `select ${COLUMNS} from processor_accounts a where a.status <> 'removed' order by a.name`,
    [],
  );

/** Accounts for a merchant alone that are not removed. */
export const readOwnAccounts = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select ${COLUMNS} from processor_accounts a where a.merchant_id = $1 and a.status <> 'removed' order by a.name`,
    [merchant_id],
  );
