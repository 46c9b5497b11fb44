import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantTables } from '../../src/platform/database/installation/placement.ts';
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
