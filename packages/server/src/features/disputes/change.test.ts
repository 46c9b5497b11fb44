import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { newId } from '@florin/dev-env/insert-unchecked.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCatalog } from '../../platform/database/catalog.ts';
import { type Database, openDatabase } from '../../platform/database/db.ts';
import { systemClock } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { emitReactions } from './change.ts';

const cleanup = new AsyncDisposableStack();
let db: Database;
let services: Services;

beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 1 }));
  services = { catalog: await loadCatalog(db) } as Services;
});
afterAll(() => cleanup.disposeAsync());

it('a dispute whose payment was removed posts no transfers', async () => {
  const dispute = {
    ...{ merchant_id: newId(), mode: 'sandbox', id: newId(), payment_demand_id: newId() },
    ...{ status: 'needs_response', amount_cents: '2500', amount_currency: 'USD' },
  };
  await expect(
    db.transaction((tx) => emitReactions(services, tx, dispute, systemClock().now())),
  ).rejects.toThrow(`the payment of dispute ${dispute.id} was removed`);
  expect(await db.query('select from ledger_transfers', [])).toEqual([]);
});
