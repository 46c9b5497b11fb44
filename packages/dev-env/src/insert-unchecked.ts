import { withClient } from '@florin/cli/database/client.ts';
import { uuidv7 } from '@florin/server/platform/ids.ts';
import { systemClock } from '@florin/server/platform/time/clock.ts';

const clock = systemClock();

export const newId = (): string => uuidv7(clock.now());

export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Values for required columns, by type. */
const FILLERS: Readonly<Record<string, () => string>> = {
  uuid: newId,
  text: newId,
  'timestamp with time zone': () => 'now',
  date: () => '2026-01-01',
  jsonb: () => '{}',
  boolean: () => 'false',
  bytea: () => '\\x00',
  inet: () => '127.0.0.1',
};

/**
 * Inserts rows as an administrator without triggers and foreign keys, so that a row needs no other rows. Required
 * columns get a default by type. Values for unknown columns are dropped.
 */
export const insertUnchecked = (
  adminUrl: string,
  table: string,
  ...rows: readonly Values[]
): Promise<void> =>
  withClient(adminUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    const { rows: columns } = await client.query<Column>(COLUMNS, [table]);
    for (const row of rows) {
      const filledColumns = columns.filter(({ name, needed }) => needed || row[name] !== undefined);
      const values = filledColumns.map((column) => row[column.name] ?? fillerOf(column));
      await client.query(
        `insert into ${table} (${filledColumns.map(({ name }) => name).join(', ')})
         values (${filledColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
        values,
      );
    }
  });

interface Column {
  readonly name: string;
  readonly type: string;
  /** Whether the column requires a value. */
  readonly needed: boolean;
}

const COLUMNS = `select attname as name, format_type(atttypid, null) as type,
    attnotnull and not atthasdef and attidentity = '' as needed
  from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped`;

const fillerOf = ({ type, needed }: Column): string | null =>
  needed ? (FILLERS[type]?.() ?? '0') : null;
