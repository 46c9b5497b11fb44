import {
  findLedgerDifferences,
  findPaymentDifferences,
} from '@florin/server/features/ledger/sql/ledger-check.ts';
import type pg from 'pg';

/** A row as text, by column. */
type Row = Readonly<Record<string, string | null>>;

/** Florin's stored rows, read directly from the database. */
export interface Records {
  readonly payments: readonly Row[];
  readonly refunds: readonly Row[];
  readonly captures: readonly Row[];
  readonly disputes: readonly Row[];
  readonly subscriptions: readonly Row[];
  readonly periods: readonly Row[];
  /** Sandbox clocks of customers. */
  readonly clocks: readonly Row[];
  readonly attempts: readonly Row[];
  readonly events: readonly Row[];
  readonly deliveries: readonly Row[];
  /** Events without a delivery, although a subscription created before the event listens to their type. */
  readonly undelivered: readonly Row[];
  readonly ledger: readonly object[];
  readonly balances: readonly object[];
}

const UNDELIVERED = `select e.id::text from events e join webhook_subscriptions s using (merchant_id, mode)
  where e.created_at > s.created_at and s.events ? (e.resource_type || '.' || e.slug)
    and not exists (select from webhook_deliveries d
      where d.merchant_id = e.merchant_id and d.event_id = e.id and d.webhook_subscription_id = s.id)`;

export async function readRecords(client: pg.Client): Promise<Records> {
  const read = async (sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows;
  const readAll = (table: string, columns: string) => read(`select ${columns} from ${table}`);
  const asText = (...columns: string[]) => columns.map((name) => `${name}::text`).join(', ');
  const followUpColumns = asText('id', 'payment_demand_id', 'status', 'amount_cents');
  const db = {
    query: async (sql: string, values: readonly unknown[]) =>
      (await client.query(sql, [...values])).rows,
  };
  return {
    payments: await readAll(
      'payment_demands',
      asText(
        'id',
        'payment_subscription_id',
        'status',
        'amount_cents',
        'amount_captured_cents',
        'amount_refundable_cents',
        'failure_reason',
      ),
    ),
    refunds: await readAll('refund_demands', followUpColumns),
    captures: await readAll('capture_demands', followUpColumns),
    disputes: await readAll(
      'disputes',
      asText('id', 'reference', 'status', 'amount_cents', 'payment_demand_id', 'created_at'),
    ),
    subscriptions: await readAll(
      'payment_subscriptions',
      asText(
        'id',
        'status',
        'amount_cents',
        'confirmed',
        'last_processed_at',
        'next_billing_at',
        'payer_id',
      ),
    ),
    periods: await readAll(
      'subscription_periods',
      asText('id', 'payment_subscription_id', 'payment_demand_id', 'start_at', 'end_at'),
    ),
    clocks: await readAll('sandbox_clocks', asText('id', 'customer_id', 'status', 'reached_at')),
    attempts: await readAll(
      'attempts',
      `${asText('id', 'operation', 'status', 'payment_demand_id', 'refund_demand_id', 'unknown_since')},
        coalesce(resent_at, created_at)::text as sent_at`,
    ),
    events: await readAll('events', asText('id', 'resource_id', 'slug')),
    deliveries: await readAll('webhook_deliveries', asText('event_id', 'status', 'fails_count')),
    undelivered: await read(UNDELIVERED),
    ledger: await findLedgerDifferences(db),
    balances: await findPaymentDifferences(db),
  };
}

const OPEN = `select
  (select count(*) from attempts where status in ('sending', 'unknown', 'reversing'))
  + (select count(*) from payment_demands where status in ('pending', 'processing'))
  + (select count(*) from refund_demands where status in ('pending', 'processing'))
  + (select count(*) from capture_demands where status in ('pending', 'processing'))
  + (select count(*) from disputes where status in ('under_review', 'accepted'))
  + (select count(*) from webhook_deliveries where status = 'pending') as open,
  (select coalesce(max(position), 0) from processor_news) as position`;

/** Number of rows with remaining work, and the cursor of dispute notifications. */
export async function readOpenWork(client: pg.Client): Promise<{ open: number; position: number }> {
  const { rows } = await client.query(OPEN);
  return { open: Number(rows[0].open), position: Number(rows[0].position) };
}
