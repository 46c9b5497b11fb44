import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { makePaid } from '../support/make.ts';

const api = useApi();
let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: api.stack.adminDatabaseUrl });
  await admin.connect();
});
afterAll(() => admin.end());

it('refunds of a locked payment do not fail those of others', async () => {
  const payments = await Promise.all(Array.from({ length: 6 }, () => makePaid(api.client)));
  const locked = payments[2] as ResourceObject;
  await admin.query('begin');
  await admin.query('select 1 from payment_demands where id = $1 for update', [locked.id]);
  const attributes = { reason: 'duplicate_charge' };
  const answers = await Promise.all(
    payments.map((payment_demand) =>
      api.client.send(
        'POST',
        '/v2/refund_demands',
        documentOf('refund_demands', attributes, { payment_demand }),
      ),
    ),
  );
  await admin.query('rollback');
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 503, 201, 201, 201]);
}, 60_000);
