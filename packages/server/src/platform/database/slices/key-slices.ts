import type { Db } from '../db.ts';
import type { RowKey } from '../row-key.ts';

/** A table, and the column that is its key together with `merchant_id`. An index must begin with both. */
export interface KeyedTable {
  readonly table: string;
  readonly column: string;
  /** Condition of the index, if it leaves rows out. */
  readonly where?: string;
}

/** Keys beyond `after`, up to and including `through`. */
export interface KeyRange {
  readonly after: RowKey;
  readonly through: RowKey;
}

/** Before every id. */
export const UUID_MIN = '00000000-0000-0000-0000-000000000000';
const UUID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Last possible key of a merchant. */
export const lastKeyOf = (merchant_id: string): RowKey => ({ merchant_id, id: UUID_MAX });

/** All keys. */
export const ALL_KEYS: KeyRange = {
  after: { merchant_id: UUID_MIN, id: UUID_MIN },
  through: lastKeyOf(UUID_MAX),
};

/** SQL condition: the key is in the range whose four bounds are the first parameters. See `rangeValues`. */
export const inRange = (column: string, alias?: string): string => {
  const key = alias ? `(${alias}.merchant_id, ${alias}.${column})` : `(merchant_id, ${column})`;
  return `${key} > ($1::uuid, $2::uuid) and ${key} <= ($3::uuid, $4::uuid)`;
};

/** First four parameters of a statement with `inRange`. */
export const rangeValues = ({ after, through }: KeyRange): string[] => [
  after.merchant_id,
  after.id,
  through.merchant_id,
  through.id,
];

/** Slices of a range, in order, each with at most `rows_max` rows of each table. */
export async function* slicesOf(
  db: Db,
  tables: readonly KeyedTable[],
  range: KeyRange,
  rows_max: number,
): AsyncGenerator<KeyRange> {
  let { after } = range;
  for (;;) {
    const end = await findEnd(db, tables, { ...range, after }, rows_max);
    yield { after, through: end ?? range.through };
    if (!end) return;
    after = end;
  }
}

/** Key at which the first table has `rows_max` rows of the range; undefined if all have fewer. */
async function findEnd(
  db: Db,
  tables: readonly KeyedTable[],
  range: KeyRange,
  rows_max: number,
): Promise<RowKey | undefined> {
  const ends = tables.map(
    ({ table, column, where = 'true' }) => `
      (select merchant_id, ${column} as id from ${table} where ${inRange(column)} and ${where}
       order by merchant_id, ${column} offset $5 limit 1)`,
  );
  const [end] = await db.query(
    `select * from (${ends.join(' union all ')}) ends order by merchant_id, id limit 1`,
    [...rangeValues(range), rows_max - 1],
  );
  return end && { merchant_id: end.merchant_id as string, id: end.id as string };
}
