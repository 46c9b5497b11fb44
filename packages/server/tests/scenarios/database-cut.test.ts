import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, documentOf } from '../support/client.ts';
import { eventually, purchase } from '../support/make.ts';

const PAYMENTS = 160;
const CLIENTS = 16;
/** Responses between two cuts of all connections. */
const CUT_EVERY = 30;

let stack: Stack;
let admin: pg.Client;
beforeAll(async () => {
  stack = await startStack();
  admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await stack[Symbol.asyncDispose]();
});

const cutConnections = (): Promise<unknown> =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);

it('a create whose connection breaks is answered once it is known what was stored', async () => {
  const client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  const answers: { reference: string; status: number }[] = [];
  let started = 0;
  const one = async (): Promise<void> => {
    while (started < PAYMENTS) {
      const reference = `cut-${started++}`;
      const document = documentOf('payment_demands', {
        ...purchase,
        purchase_reference: reference,
      });
      const { status } = await client.send('POST', '/v2/payment_demands', document);
      answers.push({ reference, status });
      if (answers.length % CUT_EVERY === 0) await cutConnections();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));

  expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  // After the last cut, the first read may still get 503.
  const { body } = await eventually(
    () =>
      client.get('/v2/payment_demands?page[size]=500&fields[payment_demands]=purchase_reference'),
    ({ status }) => status === 200,
  );
  const stored = body.data.map(
    (payment: { attributes: { purchase_reference: string } }) =>
      payment.attributes.purchase_reference,
  );
  const made = answers.filter(({ status }) => status === 201).map(({ reference }) => reference);
  expect(stored.toSorted()).toEqual(made.toSorted());
});
