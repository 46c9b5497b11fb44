import { expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';

const api = useOwnStack();
const CREATE_INDEX_SQL = 'create index customers_email on customers (merchant_id, mode, email)';

it('the server does not start without an index that a filter needs, and names the command that makes it', async () => {
  const { stack, fixtures } = api;
  await stack.stop('server');
  await fixtures.db.query('drop index customers_email', []);
  await expect(stack.start('server')).rejects.toThrow(CREATE_INDEX_SQL);
  await fixtures.db.query(CREATE_INDEX_SQL, []);
  await stack.start('server');
  expect((await api.client.get('/v2/customers?filter[email]=a@x.example')).status).toBe(200);
});
