import { type Arrival, type MovedTable, ownerColumn } from '../tables.ts';

const UUID = /^[0-9a-f-]{36}$/;

/** SQL: a value of which some are replaced. */
function replaced(column: string, map: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(map).filter((pair) => pair.every((id) => UUID.test(id)));
  if (pairs.length === 0) return column;
  const cases = pairs.map(([from, to]) => `when '${from}' then '${to}'::uuid`).join(' ');
  return `case ${column} ${cases} else ${column} end`;
}

/** SQL: a JSON document whose texts name accounts. */
const replacedInJson = (column: string, map: Arrival['accounts']): string =>
  `${Object.entries(map).reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, `${column}::text`)}::jsonb`;

const shifted = (column: string, { stamp_shift }: Arrival): string =>
  `${column} + (${stamp_shift})`;

/** The newest of the accounts that become one, since a merchant has one record of each account. */
function withoutDoubles(accounts: Arrival['accounts']): Arrival['accounts'] {
  const newest = new Map<string, string>();
  for (const [from, to] of Object.entries(accounts))
    if (from > (newest.get(to) ?? '')) newest.set(to, from);
  return Object.fromEntries([...newest].map(([to, from]) => [from, to]));
}

/** SQL: an account of which only the newest of several keeps its record. */
function replacedOnce(column: string, { accounts }: Arrival): string {
  const kept = withoutDoubles(accounts);
  const dropped = Object.keys(accounts).filter((id) => !(id in kept) && UUID.test(id));
  const value = replaced(column, kept);
  return dropped.length === 0
    ? value
    : `case when ${column} in ('${dropped.join("', '")}') then null::uuid else ${value} end`;
}

type ColumnSql = (column: string, arrival: Arrival) => string;

/** Columns that refer to the database where the row is: to its accounts, transactions or processes. */
const CHANGED_COLUMNS: Readonly<Record<string, ColumnSql>> = {
  'attempts.processor_account_id': (column, { accounts }) => replaced(column, accounts),
  'attempts.route': (column, { accounts }) => replacedInJson(column, accounts),
  'disputes.processor_account_id': (column, { accounts }) => replaced(column, accounts),
  'processor_details.processor_account_id': replacedOnce,
  'merchant_integrations.integration_id': (column, { integrations }) =>
    replaced(column, integrations),
  'ledger_transfers.posted_in': shifted,
  'payouts.paid_below': shifted,
  'payouts.paid_without': (column, arrival) =>
    `(select array_agg(${shifted('stamp', arrival)} order by at)
      from unnest(${column}) with ordinality w (stamp, at))`,
  'sandbox_clocks.held_by': () => 'null::uuid',
  'sandbox_clocks.held_until': () => 'null::timestamptz',
  // Processes look for changed clocks only.
  'sandbox_clocks.updated_at': (column, { arrives_at }) =>
    `greatest(${column}, '${arrives_at}'::timestamptz)`,
};

/** Columns that a move changes, as `table.column`. */
export const arrivalColumns: readonly string[] = Object.keys(CHANGED_COLUMNS);

/** SQL: the rows of a merchant as the target stores them. */
export function arrivingRows(
  { name, columns }: MovedTable,
  merchant_id: string,
  arrival: Arrival,
): string {
  const values = columns.map((column) => {
    const change = CHANGED_COLUMNS[`${name}.${column.name}`];
    return change ? `${change(column.name, arrival)} as ${column.name}` : column.name;
  });
  return `select ${values.join(', ')} from ${name} where ${ownerColumn(name)} = '${merchant_id}'`;
}

/** SQL: the rows of a merchant as they are stored. */
export const storedRows = ({ name, columns }: MovedTable, merchant_id: string): string =>
  `select ${columns.map((column) => column.name).join(', ')} from ${name}
   where ${ownerColumn(name)} = '${merchant_id}'`;
