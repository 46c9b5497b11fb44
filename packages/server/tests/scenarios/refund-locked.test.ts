import { startServer } from '@florin/dev-env/parts.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { makeCapturedPayment } from '../support/make.ts';

/** Production waits ten times as long for a lock. */
const LOCK_TIMEOUT_MS = 200;

const api = useApi();
const cleanup = new AsyncDisposableStack();
let admin: pg.Client;
/** A process that waits briefly for locks. */
let client: Client;
beforeAll(async () => {
  const { stack } = api;
  admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
  cleanup.defer(() => admin.end());
  const url = new URL(stack.databaseUrl);
  url.searchParams.set('lock_timeout', String(LOCK_TIMEOUT_MS));
  const wiring = { ...stack, port: 0, socketPath: stack.vaultSocket, databaseUrl: url.href };
  const server = cleanup.use(await startServer(wiring));
  client = createClient(server.url, stack.credentials.sandbox.secret_key);
});
afterAll(() => cleanup.disposeAsync());

it('refunds of a locked payment do not fail those of others', async () => {
  const payments = await Promise.all(
    Array.from({ length: 4 }, () => makeCapturedPayment(api.client)),
  );
  const lockedPayment = payments[2] as ResourceObject;
  await admin.query('begin');
  await admin.query('select 1 from payment_demands where id = $1 for update', [lockedPayment.id]);
  const attributes = { reason: 'duplicate_charge' };
  const answers = await Promise.all(
    payments.map((payment_demand) =>
      client.send(
        'POST',
        '/v2/refund_demands',
        documentOf('refund_demands', attributes, { payment_demand }),
      ),
    ),
  );
  await admin.query('rollback');
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 503, 201]);
});
