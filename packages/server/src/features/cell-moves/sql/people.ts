import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Tables and columns that name people. */
const PEOPLE = [
  ['merchants', 'id', 'account_id'],
  ['memberships', 'merchant_id', 'account_id'],
  ['oversight_entries', 'merchant_id', 'account_id'],
  ['payment_notes', 'merchant_id', 'account_id'],
] as const;

/** Columns that name people, as `table.column`. */
export const peopleColumns: readonly string[] = PEOPLE.map(
  ([table, , column]) => `${table}.${column}`,
);

/** Ids of the people whom records of a merchant name. */
export const readPeople = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    PEOPLE.map(
      ([table, owner, column]) =>
        `select ${column} as id from ${table} where ${owner} = $1 and ${column} is not null`,
    ).join(' union '),
    [merchant_id],
  );

/** Integrations that a merchant uses. */
export const readIntegrations = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select i.* from integrations i where i.id in
       (select integration_id from merchant_integrations where merchant_id = $1)`,
    [merchant_id],
  );

/** Returns the id of the integration with this name, which is stored if it is missing, under `new_id` if its id is taken. */
export async function ensureIntegration(
  cell: Db,
  { id, name, url, created_at, updated_at }: Row,
  new_id: string,
): Promise<string> {
  const [taken] = await cell.query('select 1 from integrations where id = $1', [id]);
  await cell.query(
    `insert into integrations (id, name, url, created_at, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (name) do nothing`,
    [taken ? new_id : id, name, url, created_at, updated_at],
  );
  const [same] = await cell.query('select id from integrations where name = $1', [name]);
  return same?.id as string;
}
