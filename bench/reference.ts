import pg from 'pg';

export const CLIENTS = 64;

/**
 * Payments per second of the usual design: each request stores a payment, its event and its delivery in one
 * transaction. Uses 64 connections of one process, with the same durability as Florin.
 */
export const measureReference = (databaseUrl: string, seconds: number): Promise<number> =>
  withReferenceTables(databaseUrl, () => measureClients(databaseUrl, seconds));

async function measureClients(databaseUrl: string, seconds: number): Promise<number> {
  const clients = Array.from(
    { length: CLIENTS },
    () => new pg.Client({ connectionString: databaseUrl }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const counts = await Promise.all(clients.map((client) => runTransactions(client, deadline)));
  const elapsed = (performance.now() - startedAt) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  return counts.reduce((sum, count) => sum + count, 0) / elapsed;
}

/** Creates the reference's tables for as long as `measure` runs. */
export async function withReferenceTables(
  databaseUrl: string,
  measure: () => Promise<number>,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(SCHEMA);
    return await measure();
  } finally {
    await client.query('drop schema if exists bench_reference cascade');
    await client.end();
  }
}

/** Columns that a create sets, without Florin's indexes. Fewer indexes make the reference faster. */
const SCHEMA = `
  create schema bench_reference;
  create table bench_reference.payments (id uuid primary key, merchant_id uuid not null, status text not null,
    amount bigint not null, currency text not null, reference text, kind text, description text,
    created_at timestamptz not null, updated_at timestamptz not null);
  create table bench_reference.events (id uuid primary key, payment_id uuid not null, slug text not null,
    data jsonb not null, created_at timestamptz not null);
  create table bench_reference.deliveries (id uuid primary key, event_id uuid not null, status text not null,
    due_at timestamptz not null)`;

async function runTransactions(client: pg.Client, deadline: number): Promise<number> {
  let count = 0;
  while (performance.now() < deadline) {
    const [payment, event, delivery] = [
      crypto.randomUUID(),
      crypto.randomUUID(),
      crypto.randomUUID(),
    ];
    await client.query('begin');
    await client.query({
      name: 'payment',
      text: PAYMENT,
      values: [payment, crypto.randomUUID(), 2500],
    });
    await client.query({ name: 'event', text: EVENT, values: [event, payment] });
    await client.query({ name: 'delivery', text: DELIVERY, values: [delivery, event] });
    await client.query('commit');
    count++;
  }
  return count;
}

/** Statements of a transaction, with SQL expressions for the values. */
export const statements = {
  payment: (id: string, merchant_id: string, amount: string): string =>
    `insert into bench_reference.payments values
       (${id}, ${merchant_id}, 'incomplete', ${amount}, 'USD', 'order-1', 'order', 'A mug', now(), now())`,
  event: (id: string, payment_id: string): string =>
    `insert into bench_reference.events values (${id}, ${payment_id}, 'created', '{"amount_cents": 2500}', now())`,
  delivery: (id: string, event_id: string): string =>
    `insert into bench_reference.deliveries values (${id}, ${event_id}, 'pending', now())`,
} as const;

const PAYMENT = statements.payment('$1', '$2', '$3');
const EVENT = statements.event('$1', '$2');
const DELIVERY = statements.delivery('$1', '$2');
