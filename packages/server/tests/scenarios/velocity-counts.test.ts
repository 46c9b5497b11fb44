import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { countVelocity, type VelocityQuestion } from '../../src/features/risk/sql.ts';
import { ATTEMPTS_READ_MAX } from '../../src/features/risk/tally.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { useApi } from '../support/api.ts';
import type { Client, Relations, ResourceObject } from '../support/client.ts';
import { makeDemand, makeParties, makeVelocityLimit, waitForOutcome } from '../support/make.ts';

const READ_MAX = 4;
const api = useApi();

/** A merchant of its own for each test, with one approved attempt of 1,000 cents. */
let client: Client;
let parties: Relations;
let attempt: Row;
beforeEach(async () => {
  const merchant = await api.fixtures.makeMerchant();
  client = api.as(await merchant.makeKey());
  parties = await makeParties(client);
  const { id } = await charge();
  const rows = await api.fixtures.db.query('select * from attempts where payment_demand_id = $1', [
    id,
  ]);
  attempt = { ...rows[0], amount_cents: '1000' };
});

async function charge(): Promise<ResourceObject> {
  const { id } = await makeDemand(client, { confirmed: true, amount_cents: 1_000 }, parties);
  return waitForOutcome(client, id);
}

/** Stores an attempt for each entry, older than all before. */
async function addOlderAttempts(changes: readonly Row[]): Promise<void> {
  const { db } = api.fixtures;
  const first_ms = Date.parse(attempt.created_at as string) - 1_000;
  const rows = changes.map((change, at) => ({
    ...attempt,
    id: randomUUID(),
    payment_demand_id: randomUUID(),
    created_at: new Date(first_ms - at).toISOString(),
    ...change,
  }));
  await insertRows(db, await loadCatalog(db), 'attempts', rows);
}

/** Result of a count that reads at most `read_max` attempts, and how many rows the database read. */
async function countWith(kind: string, read_max: number) {
  const { merchant_id, card_fingerprint, payer_id } = attempt;
  const question: VelocityQuestion = {
    scope: { merchant_id: merchant_id as string, mode: 'sandbox' },
    kind,
    subject: (kind === 'payer_cards' ? payer_id : card_fingerprint) as string,
    amount_currency: kind === 'card_amount' ? (attempt.amount_currency as string) : null,
    counts_open: false,
    since: new Date(Date.now() - 86_400_000).toISOString(),
    up_to: 1_000,
  };
  return api.fixtures.db.transaction(async (tx) => {
    const rowsBefore = await countRowsRead(tx);
    const [row] = await countVelocity(tx, [question], read_max);
    const rowsRead = (await countRowsRead(tx)) - rowsBefore;
    return { counted: JSON.parse(row?.counted as string), rowsRead };
  });
}

/** Number of attempts that this connection has read lately. */
async function countRowsRead(tx: Db): Promise<number> {
  const sql = `select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables
    where relname = 'attempts'`;
  const [row] = await tx.query(sql, []);
  return Number(row?.count);
}

it.each([
  ['card_declines', 1, { total: 3 }],
  ['card_amount', 1, { read: 4, total: 1_000 }],
  ['payer_cards', 1, { read: 4, cards: 4 }],
  // One more attempt than is read tells that the count is partial.
  ['card_declines', 3, { total: 3 }],
  ['card_amount', 3, { read: 5, total: 1_000 }],
  ['payer_cards', 3, { read: 5, cards: 5 }],
] as const)(
  'a count of %s reads the newest attempts only (%i × 3 others)',
  async (kind, times, expected) => {
    const fingerprint = (at: number) =>
      kind === 'payer_cards' ? { card_fingerprint: `f${at}` } : {};
    const others = Array.from({ length: times * 3 }, (_, at) => fingerprint(at));
    await addOlderAttempts(others.map((other) => ({ ...other, status: 'declined' })));
    const { counted, rowsRead } = await countWith(kind, READ_MAX);
    const cards = counted.cards && { cards: counted.cards.length };
    expect({ ...counted, ...cards }).toEqual(expected);
    expect(rowsRead).toBeLessThanOrEqual(READ_MAX + 1);
  },
);

it('an amount that is counted in part is beyond its limit', async () => {
  await addOlderAttempts(Array.from({ length: ATTEMPTS_READ_MAX }, () => ({ amount_cents: '1' })));
  await makeVelocityLimit(client, { kind: 'card_declines', max_count: 1 });
  expect((await charge()).attributes.status).toBe('succeeded');
  const limit = { kind: 'card_amount', amount_currency: 'USD', max_count: 99_999_999 };
  await makeVelocityLimit(client, { ...limit, window_seconds: 86_400 });
  expect((await charge()).attributes.failure_reason).toBe('velocity_exceeded');
});
