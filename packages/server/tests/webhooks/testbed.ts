import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { makeWebhookSecret } from '../../src/features/webhooks/signing/sign.ts';
import type { DeliverServices } from '../../src/features/webhooks/workers/deliver.ts';
import { createSealer, SEAL_KEY_BYTES } from '../../src/platform/crypto/sealer.ts';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { writeEvents } from '../../src/platform/outbox/events.ts';
import { type Clock, instantText, type Micros, seconds } from '../../src/platform/time/clock.ts';
import { createSignal } from '../../src/platform/workers/signal.ts';

/** A stopped clock that tests move. Starts now, because receivers compare times with their own. */
export function createMovableClock(): Clock & { advance(duration_s: number): void } {
  let at: Micros = Date.now() * 1_000;
  return {
    now: () => at,
    advance(duration_s) {
      at += seconds(duration_s);
    },
  };
}

/** Tests insert thousands of rows in one statement, which takes long on a busy machine. */
const STATEMENT_TIMEOUT_MS = 60_000;

export interface SubscriptionOptions {
  readonly url: string;
  readonly mode?: 'live' | 'sandbox';
  readonly concurrency_limit?: number;
  readonly ordering?: 'none' | 'resource';
}

export interface Testbed extends AsyncDisposable {
  readonly clock: ReturnType<typeof createMovableClock>;
  readonly db: Database;
  readonly merchant_id: string;
  readonly services: DeliverServices;
  subscribe(options: SubscriptionOptions): Promise<{ id: string; secret_key: string }>;
  /** Stores an event of a given or new record, with a delivery for each subscription of the mode. Returns its id. */
  emit(mode?: 'live' | 'sandbox', resource_id?: string): Promise<string>;
  readDeliveries(): Promise<Row[]>;
}

export const EVENT_DATA = '{"id": "r", "type": "customers", "attributes": {"name": "Zoë €"}}';
const RESOURCE_TYPE = 'consumer.customers';

/** Tables in the order in which their rows can be deleted. Events stay: they belong to earlier merchants. */
const TABLES = [
  'account_alerts',
  'webhook_delivery_attempts',
  'webhook_deliveries',
  'webhook_replays',
  'webhook_subscriptions',
];

/** Catalog of each database, which no test changes. */
const catalogs = new Map<string, Promise<Catalog>>();

async function catalogOf(url: string, db: Database): Promise<Catalog> {
  const catalog = catalogs.get(url) ?? loadCatalog(db);
  catalogs.set(url, catalog);
  return catalog;
}

/** A new merchant in a database without other subscriptions and deliveries, with the requirements of a work loop. */
export async function makeTestbed(url: string, webhook_retry_scale = 1): Promise<Testbed> {
  const db = openDatabase({ url, connections_max: 4, statement_timeout_ms: STATEMENT_TIMEOUT_MS });
  const catalog = await catalogOf(url, db);
  const clock = createMovableClock();
  const merchant_id = randomUUID();
  const now = () => instantText(clock.now());
  for (const table of TABLES) await db.query(`delete from ${table}`, []);
  await db.query('insert into merchants (id, created_at, updated_at) values ($1, $2, $2)', [
    merchant_id,
    now(),
  ]);
  return {
    clock,
    db,
    merchant_id,
    services: {
      clock,
      db,
      catalog,
      sealer: createSealer([randomBytes(SEAL_KEY_BYTES)]),
      logger: pino({ level: 'silent' }),
      config: { webhook_retry_scale, work_poll_ms: 10, sandbox_webhooks: 'private' },
      wake: { deliver: createSignal() },
    },
    async subscribe({ url, mode = 'sandbox', concurrency_limit = 50, ordering = 'none' }) {
      const id = randomUUID();
      const secret_key = makeWebhookSecret();
      await db.query(
        `insert into webhook_subscriptions (merchant_id, mode, id, url, events, concurrency_limit,
           ordering, status, secret_key, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'active', $8, $9, $9)`,
        [
          merchant_id,
          mode,
          id,
          url,
          `["${RESOURCE_TYPE}.created"]`,
          concurrency_limit,
          ordering,
          secret_key,
          now(),
        ],
      );
      return { id, secret_key };
    },
    async emit(mode = 'sandbox', resource_id = randomUUID()) {
      const id = uuidv7(clock.now());
      const resource = { resource_type: RESOURCE_TYPE, resource_id, slug: 'created' };
      const event = { id, merchant_id, mode, ...resource, data: EVENT_DATA, created_at: now() };
      await writeEvents(db, catalog, [event]);
      return id;
    },
    readDeliveries: () => db.query('select * from webhook_deliveries order by created_at, id', []),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}
