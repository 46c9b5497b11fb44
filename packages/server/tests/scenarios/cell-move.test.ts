import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneAuthentications } from '../../src/features/checkout/threeds/sql.ts';
import { pruneContents } from '../../src/features/disputes/files/sql.ts';
import { pruneEmailsOfTimelines, pruneEmailsUntil } from '../../src/features/emails/sql.ts';
import { pruneNotificationsUntil } from '../../src/features/member-notifications/sql/notifications.ts';
import { compareLines } from '../../src/features/settlement/decide.ts';
import { linesToCompare } from '../../src/features/settlement/sql.ts';
import { pruneAttemptsUntil } from '../../src/features/webhooks/sql/attempts.ts';
import { lockOldEvents } from '../../src/features/webhooks/sql/event-pruning.ts';
import { tenantTables } from '../../src/platform/database/installation/placement.ts';
import { UUID_MIN } from '../../src/platform/database/slices/key-slices.ts';
import { useOwnStack } from '../support/api.ts';
import { signIn } from '../support/browser.ts';
import { openOne } from '../support/cells.ts';
import { type AwayCell, chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { browse, pathOf } from '../support/link-visit.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeLink,
  makeParties,
  makeRefund,
  makeSubscription,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { fillTables } from '../support/move-rows.ts';
import {
  cellOf,
  ledgerDifferences,
  loadWhile,
  rowCounts,
  runMove,
  startTwoCells,
} from '../support/moves.ts';
import { fetchMe } from '../support/people.ts';
import { advanceAndWait, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
let away: AwayCell;
let merchant_id: string;
/** Sorted events that a webhook receiver got. */
const received: { type: string; id: string }[] = [];

beforeAll(async () => {
  away = await startTwoCells(api, places, cleanup);
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
});
afterAll(() => cleanup.disposeAsync());

async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanup.defer(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const urls = () => [api.stack.databaseUrl, away.address] as const;

/** Records from before the move. */
let before: Record<
  'payment' | 'hold' | 'subscription' | 'clock' | 'link' | 'keyed',
  ResourceObject
>;

const createKeyed = async (): Promise<ResourceObject> => {
  const body = documentOf('payment_demands', { ...purchase, purchase_reference: 'keyed' });
  const headers = { 'idempotency-key': 'before the move' };
  return (await api.client.send('POST', '/v2/payment_demands', body, headers)).body.data;
};

/** Has what was captured settled and paid out, as "Settle now" of the dashboard does. */
async function settleOnRequest(): Promise<void> {
  const owner = await signIn(places.addresses.public_url, api.stack.credentials.account);
  const headers = { 'florin-merchant': merchant_id, 'florin-mode': 'sandbox' };
  const { status } = await owner.send('POST', '/dashboard/api/sandbox/settlement', {}, headers);
  expect(status).toBe(200);
}

/** A line of the network's file in a cell. */
interface Line {
  readonly url: string;
  readonly day?: string;
  readonly line: number;
  readonly authorisation: string;
  readonly outcome: string | null;
}

const storeLine = async ({ url, day = DAY, line, authorisation, outcome }: Line) => {
  await using db = openOne(url);
  await db.query(
    `insert into settlement_entries
       (processor, mode, day, line, entry, reference, authorisation, amount_cents, amount_currency, outcome)
     values ('sandbox', 'sandbox', $1, $2, 'capture', $3, $3, 2500, 'USD', $4)`,
    [day, line, authorisation, outcome],
  );
};
const PRUNED = [
  'authentications',
  'dispute_file_contents',
  'letters',
  'member_notifications',
  'webhook_delivery_attempts',
];
const UUID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const DAY = '2026-01-01';
/** A day whose file the source has not read. */
const NEXT_DAY = '2099-01-01';

/** Lines that the source did not settle, and others. */
async function storeLines(): Promise<void> {
  const [home, away] = urls();
  await using db = openOne(home);
  const [row] = await db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [before.payment.id],
  );
  const authorisation = row?.id as string;
  const unknown = { url: away, outcome: 'unknown_merchant' };
  await storeLine({ url: home, line: 1, authorisation, outcome: null });
  await storeLine({ ...unknown, line: 1, authorisation });
  await storeLine({ url: home, line: 2, authorisation, outcome: 'exception' });
  await storeLine({ ...unknown, line: 2, authorisation });
  await storeLine({ ...unknown, line: 3, authorisation: randomUUID() });
  await storeLine({ ...unknown, day: NEXT_DAY, line: 1, authorisation });
}

describe('a merchant moves to another cell', () => {
  beforeAll(async () => {
    await makeOneOfEach(api.client, api.fixtures);
    const url = await startReceiver();
    await api.client.make('webhook_subscriptions', { url, events: ['transaction.*'] });
    const parties = await makeParties(api.client);
    const clock = await makeClock(api.client, parties.payer as ResourceObject);
    before = {
      payment: await makeCapturedPayment(api.client),
      hold: await makeAuthorisedPayment(api.client),
      clock,
      subscription: await makeSubscription(api.client, { confirmed: true }, parties),
      link: await makeLink(api.client),
      keyed: await createKeyed(),
    };
    await settleOnRequest();
    await using db = openOne(urls()[0]);
    await fillTables(db, merchant_id);
    await storeLines();
  });

  it('and loses no old row before, while those of others are deleted', async () => {
    await using db = openOne(urls()[0]);
    await db.query(`insert into stopped_merchants values ($1, $1, 'leaving', 'away', now())`, [
      merchant_id,
    ]);
    // Processes know a stop, and the end of one, after half a second.
    await new Promise((resolve) => setTimeout(resolve, 700));
    const countPruned = async () => {
      const counts = await rowCounts(urls()[0], merchant_id);
      return PRUNED.map((table) => counts[table]);
    };
    const counts = await countPruned();
    const [until, limit] = ['2090-01-01', 1_000];
    await pruneEmailsUntil(db, until, limit);
    await pruneEmailsOfTimelines(db, until, limit);
    await pruneNotificationsUntil(db, until, limit);
    await pruneContents(db, until, until, limit);
    await pruneAttemptsUntil(db, until, limit);
    const cutoffs = { personal_until: until, counters_until: until, cardless_until: until };
    await pruneAuthentications(db, { ...cutoffs, until, limit });
    const range = { after: UUID_MIN, through: UUID_MAX, until, changed_until: until, limit };
    expect(await lockOldEvents(db, range)).toEqual([]);
    expect(await countPruned()).toEqual(counts);
    await db.query('delete from stopped_merchants', []);
    expect(await lockOldEvents(db, range)).not.toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 700));
  });

  it('which a dry run only announces', async () => {
    const counts = await rowCounts(urls()[0], merchant_id);
    const lines = await runMove(api, { merchant_id, cell: 'away', dry_run: true });
    expect(lines.at(-1)).toBe('Would move the merchant to the cell away.');
    expect([await cellOf(api, merchant_id), await rowCounts(urls()[1], merchant_id)]).toEqual([
      'home',
      {},
    ]);
    expect(Object.keys(counts).sort()).toEqual([...tenantTables]);
  });

  it('with all records, while clients create payments', async () => {
    const { references, refusals } = await loadWhile(api.client, () =>
      runMove(api, { merchant_id, cell: 'away' }),
    );

    expect(refusals).toBeGreaterThan(0);
    expect(await cellOf(api, merchant_id)).toBe('away');
    expect(await rowCounts(urls()[0], merchant_id)).toEqual({});
    await using db = openOne(urls()[1]);
    const stored = await db.query(
      `select purchase_reference from payment_demands where merchant_id = $1 and purchase_reference = any ($2)`,
      [merchant_id, references],
    );
    expect(stored.map((row) => row.purchase_reference).sort()).toEqual([...references].sort());
    for (const url of urls()) expect(await ledgerDifferences(url)).toEqual([]);
  });

  it('where lines of settlement are compared that the earlier cell had not settled', async () => {
    await using db = openOne(urls()[1]);
    const lines = await db.query(
      `select day, line, outcome from settlement_entries where day in ($1, $2) order by day, line`,
      [DAY, NEXT_DAY],
    );
    expect(lines.map(({ day, line, outcome }) => [day, line, outcome])).toEqual([
      [DAY, '1', null],
      [DAY, '2', 'unknown_merchant'],
      [DAY, '3', 'unknown_merchant'],
      [NEXT_DAY, '1', null],
    ]);
  });

  it('where a line that the earlier cell has settled is no duplicate, but a second one is', async () => {
    await using db = openOne(urls()[1]);
    const file = { processor: 'sandbox', mode: 'sandbox', day: '2026-01-02' };
    const compare = async () =>
      compareLines(await linesToCompare(db, file, 10), file, 0).lines.map(({ outcome }) => outcome);
    expect(await compare()).toEqual(['moved', 'exception']);
    await db.query(
      `update settlement_entries set outcome = 'moved', merchant_id = $1, source_id = $2 where day = $3 and line = 1`,
      [merchant_id, before.payment.id, DAY],
    );
    expect(await compare()).toEqual(['exception']);
    await db.query(`delete from settlement_entries where day in ($1, $2)`, [DAY, NEXT_DAY]);
  });

  it('where earlier payments are refunded and captured', async () => {
    const refund = await makeRefund(api.client, before.payment);
    const refunded = await waitForOutcome(api.client, refund.id, 'refund_demands');
    const capture = await makeCapture(api.client, before.hold);
    const captured = await waitForOutcome(api.client, capture.id, 'capture_demands');
    expect([refunded, captured].map(({ attributes }) => attributes.status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });

  it('where subscriptions renew at the time of their clocks', async () => {
    const { id } = before.subscription;
    const charges = async () =>
      (await api.client.get(`/v2/payment_demands?filter[payment_subscription]=${id}`)).body.data;
    const { length } = await charges();
    await advanceAndWait(api.client, before.clock, 32 * DAY_SECONDS);
    const renewed = await eventually(charges, (found) => found.length > length);
    expect(renewed.map(({ attributes }: ResourceObject) => attributes.status)).toContain(
      'succeeded',
    );
  });

  it('where webhooks, links, keys and repeated requests work as before', async () => {
    received.length = 0;
    const payment = await makeCapturedPayment(api.client);
    await eventually(
      async () => received.length,
      (count) => count > 0,
    );
    expect(payment.attributes.status).toBe('succeeded');
    expect((await createKeyed()).id).toBe(before.keyed.id);
    const { status } = await browse(
      { payUrl: places.addresses.pay_url } as never,
      pathOf(before.link),
    );
    expect(status).toBe(200);
    const owner = await signIn(places.addresses.public_url, api.stack.credentials.account);
    const ids = (await fetchMe(owner)).merchants.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([merchant_id]);
    for (const url of urls()) expect(await ledgerDifferences(url)).toEqual([]);
  });
});
