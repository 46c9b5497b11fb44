import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { PUT_ASIDE_SECONDS } from '@florin/server/features/attempts/take-up.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { makeDemand, makeParties, settled } from '../support/make.ts';

const clock = clockAhead();

let stack: Stack;
let client: Client;
let admin: pg.Client;
beforeAll(async () => {
  stack = await startStack({ config: { clock } });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await stack[Symbol.asyncDispose]();
});

const BAD_CENTS = 6_660;

it('a payment that cannot be taken up is put aside, and does not hold up the others', async () => {
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
  clock.advance(PUT_ASIDE_SECONDS);
  expect((await settled(client, bad.id)).attributes.status).toBe('succeeded');
});
