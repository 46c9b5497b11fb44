import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** A readable test UUID: `uuid('b', 7)`. */
export const uuid = (kind: string, number: number): string =>
  `0000000${kind}-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const shopA = uuid('a', 1);
export const shopB = uuid('a', 2);

export const at = (second: number): string =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.000001Z`;

const defaults: Readonly<Record<string, Row>> = {
  shops: {},
  people: { merchant_id: shopA, mode: 'sandbox', email: 'a@b.example' },
  shifts: { merchant_id: shopA },
  club_people: { merchant_id: shopA },
  orders: { merchant_id: shopA, mode: 'sandbox', status: 'open', amount: '100', paid: 'false' },
};

/** Stores rows. Missing columns get test values. */
export async function insertRows(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    const timeColumns = table === 'club_people' ? {} : { created_at: at(0), updated_at: at(0) };
    const fullRow = { ...timeColumns, ...defaults[table], ...row };
    const columns = Object.keys(fullRow).map((name) => `"${name}"`);
    const placeholders = columns.map((_, index) => `$${index + 1}`);
    await db.query(
      `insert into ${table} (${columns}) values (${placeholders})`,
      Object.values(fullRow),
    );
  }
}
