import { debitAccounts, type LedgerAccount, ledgerAccounts } from '@florin/contract/ledger.ts';
import type { Db } from '../../../platform/database/db.ts';

/** SQL: what a transfer adds to an account, in minor units. */
export const addedTo = (account: LedgerAccount): string => {
  const [adding, subtracting] = debitAccounts.includes(account)
    ? ['debit_account', 'credit_account']
    : ['credit_account', 'debit_account'];
  return `case '${account}' when ${adding} then amount_cents when ${subtracting} then -amount_cents else 0 end`;
};

/** SQL: the hour of a transfer, which is the same in each time zone of a session. */
export const HOUR = "date_trunc('hour', created_at, 'UTC')";

const columns = ledgerAccounts.map((account) => `${account}_cents`);
const eachColumn = (expression: (name: string) => string): string =>
  columns.map(expression).join(', ');

/** SQL: sums of the accounts by hour that these transfers make. */
const hoursOf = (transfers: string): string => `
  select merchant_id, mode, amount_currency, ${HOUR} as hour,
    ${ledgerAccounts.map((account) => `sum(${addedTo(account)}) as ${account}_cents`).join(', ')}
  from ${transfers} group by merchant_id, mode, amount_currency, ${HOUR}`;

/** SQL: adds transfers to the sums of their hours. */
export const addHours = (transfers: string): string => `
  insert into ledger_hours (merchant_id, mode, amount_currency, hour, ${columns.join(', ')})
  select merchant_id, mode, amount_currency, hour, ${columns.join(', ')} from (${hoursOf(transfers)}) s
  on conflict (merchant_id, mode, amount_currency, hour) do update set
    ${eachColumn((name) => `${name} = ledger_hours.${name} + excluded.${name}`)}`;

/** SQL: subtracts transfers from the sums of their hours. */
export const subtractHours = (transfers: string): string => `
  update ledger_hours h set ${eachColumn((name) => `${name} = h.${name} - s.${name}`)}
  from (${hoursOf(transfers)}) s where h.merchant_id = s.merchant_id and h.mode = s.mode
    and h.amount_currency = s.amount_currency and h.hour = s.hour`;

/** Deletes the hours of a sandbox without transfers. */
export const removeHours = (tx: Db, merchant_id: string): Promise<unknown> =>
  tx.query(
    `delete from ledger_hours h where h.merchant_id = $1 and h.mode = 'sandbox' and not exists
       (select from ledger_transfers l where l.merchant_id = $1 and l.mode = 'sandbox')`,
    [merchant_id],
    'remove_ledger_hours',
  );
