import type { MigrationFile } from '@florin/contract/migrations/plan.ts';

const migration = (name: string, sql: string): MigrationFile => ({
  name,
  sql,
  checksum: name,
  phase: 'expand',
});

/** Migrations as a next release could have: a column, an index of all payments, and a value for each payment. */
export const NEXT_MIGRATIONS: readonly MigrationFile[] = [
  migration(
    '9997-order-days',
    `-- florin: expand
alter table payment_demands add column order_day date;`,
  ),
  migration(
    '9998-order-days-filled',
    `-- florin: expand, online
update payment_demands p set order_day = (p.created_at at time zone 'UTC')::date
where p.order_day is null and :batch;`,
  ),
  migration(
    '9999-order-days-index',
    `-- florin: expand, online
create index concurrently payment_demands_order_days on payment_demands (merchant_id, mode, order_day);`,
  ),
];
