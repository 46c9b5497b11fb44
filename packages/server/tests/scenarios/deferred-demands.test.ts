import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { DEFER_SECONDS } from '@florin/server/features/attempts/claim-demands.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerDifferences } from '../../src/features/ledger/sql/ledger-check.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { type Client, createClient } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { disputeNow } from '../support/dispute-now.ts';
import {
  eventually,
  makeDemand,
  makePaid,
  makeParties,
  makeRefund,
  settled,
} from '../support/make.ts';

const clock = clockAhead();

let stack: Stack;
let client: Client;
let admin: pg.Client;
let db: Database;
beforeAll(async () => {
  stack = await startStack({ config: { clock } });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
  db = openDatabase({ url: stack.databaseUrl, connections_max: 1 });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await admin.end();
  await stack[Symbol.asyncDispose]();
});

const BAD_CENTS = 6_660;

it('a payment that cannot be claimed is deferred, and does not block the others', async () => {
  await admin.query(`create function refuse_attempt() returns trigger language plpgsql as
    $$ begin raise exception 'refused' using errcode = 'check_violation'; end $$`);
  await admin.query(`create trigger refuse before insert on attempts for each row
    when (new.amount_cents = ${BAD_CENTS}) execute function refuse_attempt()`);
  const parties = await makeParties(client);
  const bad = await makeDemand(client, { confirmed: true, amount_cents: BAD_CENTS }, parties);
  const good = await Promise.all(
    Array.from({ length: 4 }, () => makeDemand(client, { confirmed: true }, parties)),
  );
  for (const { id } of good) {
    expect((await settled(client, id)).attributes.status).toBe('succeeded');
  }
  expect((await client.fetch('payment_demands', bad.id)).attributes.status).toBe('pending');

  await admin.query('drop trigger refuse on attempts');
  clock.advance(DEFER_SECONDS);
  expect((await settled(client, bad.id)).attributes.status).toBe('succeeded');
});

it('a refund that is not sent before its payment is disputed is never sent', async () => {
  const payment = await makePaid(client);
  await admin.query(`create trigger refuse before insert on attempts for each row
    when (new.operation = 'refund') execute function refuse_attempt()`);
  const refund = await makeRefund(client, payment, { amount_cents: 1_000 });
  await eventually(
    () => db.query('select id from refund_demands where due_at > created_at', []),
    ({ length }) => length > 0,
  );
  await disputeNow(stack.simulatorUrl, db, payment.id);
  await eventually(
    () => client.fetch('payment_demands', payment.id),
    ({ attributes }) => attributes.status === 'disputed',
  );
  await admin.query('drop trigger refuse on attempts');
  clock.advance(DEFER_SECONDS);
  expect((await settled(client, refund.id, 'refund_demands')).attributes).toMatchObject({
    status: 'failed',
    failure_reason: 'payment_disputed',
  });
  const { attributes } = await client.fetch('payment_demands', payment.id);
  expect([attributes.status, attributes.amount_refunded_cents]).toEqual(['disputed', 0]);
  expect(await ledgerDifferences(db)).toEqual([]);
});
