import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { duePayment, unknownAttempt } from '../../../../tests/support/due.ts';
import { type Catalog, loadCatalog } from '../../../platform/database/catalog.ts';
import { type Database, openDatabase } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf } from '../../../platform/database/row-key.ts';
import { findRowsByKey, insertRows } from '../../../platform/database/rows.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, systemClock } from '../../../platform/time/clock.ts';
import { insertAttempts } from './insert-attempts.ts';

const now = systemClock().now();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
const [ownMerchant, otherMerchant] = [uuidv7(now), uuidv7(now)];

beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 1 }));
  catalog = await loadCatalog(db);
  await db.query(
    'insert into merchants (id, created_at, updated_at) select id, now(), now() from unnest($1::uuid[]) id',
    [[ownMerchant, otherMerchant]],
  );
});
afterAll(() => cleanup.disposeAsync());

const detailRow = (mode: string, kind: string): Row => ({
  merchant_id: ownMerchant,
  mode,
  id: uuidv7(now),
  kind,
  onboarding_state: 'approved',
  processing_state: 'enabled',
  created_at: instantText(now),
  updated_at: instantText(now),
});

async function storePayment(merchant_id: string, values: Row): Promise<Row> {
  const payment = duePayment(merchant_id, now);
  await insertRows(db, catalog, 'payment_demands', [payment]);
  return { ...unknownAttempt(payment, now), ...values };
}

it('attempts name the newest record of their merchant, mode and processor', async () => {
  const [older, newer] = [uuidv7(now), uuidv7(now)].toSorted() as [string, string];
  const details = [
    { ...detailRow('sandbox', 'sandbox'), id: newer },
    { ...detailRow('sandbox', 'sandbox'), id: older },
    detailRow('live', 'sandbox'),
    detailRow('live', 'edge'),
  ];
  await insertRows(db, catalog, 'processor_details', details);
  const [, , live, edge] = details.map(({ id }) => id);
  const attempts = [
    await storePayment(ownMerchant, {}),
    await storePayment(ownMerchant, {}),
    await storePayment(ownMerchant, { mode: 'live' }),
    await storePayment(ownMerchant, { mode: 'live', processor: 'edge' }),
    await storePayment(ownMerchant, { processor: 'edge' }),
    await storePayment(otherMerchant, {}),
  ];
  await insertAttempts(db, catalog, attempts);
  const rows = await findRowsByKey(db, 'attempts', attempts.map(keyOf));
  const detailIdById = new Map(rows.map((row) => [row.id, row.processor_detail_id]));
  expect(attempts.map(({ id }) => detailIdById.get(id))).toEqual([
    newer,
    newer,
    live,
    edge,
    null,
    null,
  ]);
  expect(rows.map(({ status }) => status)).toEqual(attempts.map(({ status }) => status));
});
