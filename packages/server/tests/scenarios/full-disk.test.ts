import { moveToDisk } from '@florin/dev-env/small-database.ts';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import { eventually, makeCustomer } from '../support/make.ts';

// Only root may mount a disk.
const disk = mountSmallDisk('/tmp', { size: '128m', mode: '711' });
const cleanup = new AsyncDisposableStack();
if (disk) cleanup.use(disk);
let isSmall = false;
// Runs after the stack has dropped the database.
afterAll(() => cleanup.disposeAsync());

describe.runIf(disk)('a server whose database has a full disk', () => {
  const api = useOwnStack({
    async prepare({ adminUrl }) {
      const moved = await moveToDisk(disk!, adminUrl);
      isSmall = moved !== undefined;
      if (moved) cleanup.use(moved);
    },
  });

  const probe = async (): Promise<[number, Record<string, unknown>]> => {
    const response = await fetch(`${api.stack.baseUrl}/readyz`);
    return [response.status, (await response.json()) as Record<string, unknown>];
  };
  const createCustomer = () =>
    api.client.send(
      'POST',
      '/v2/customers',
      documentOf('customers', { email: 'ada@example.com', name: 'Ada'.repeat(60) }),
    );

  it('is unready from the first refused write, and returns without a write', async ({ skip }) => {
    if (!isSmall) return skip('PostgreSQL runs elsewhere');
    expect(await probe()).toEqual([200, { ready: true, vault: 'ok' }]);
    disk?.fill();
    const refused = await eventually(createCustomer, ({ status }) => status !== 201);
    expect([refused.status, refused.body.errors?.[0]?.detail]).toEqual([
      503,
      'The disk of the database is full. Operators: free some space.',
    ]);
    await api.client.get('/v2/customers');
    const [status, readiness] = await probe();
    expect([status, readiness.ready, readiness.database_fault]).toEqual([503, false, 'disk_full']);
    const metrics = await fetch(`${api.stack.baseUrl}/metrics`);
    expect(await metrics.text()).toContain('\nflorin_database_fault{fault="disk_full"} 1\n');
    disk?.free();
    expect(await probe()).toEqual([200, { ready: true, vault: 'ok' }]);
    await makeCustomer(api.client);
  });
});
