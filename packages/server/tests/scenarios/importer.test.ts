import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { useApi } from '../support/api.ts';
import { blockInserts } from '../support/block-inserts.ts';
import {
  type Answer,
  type Client,
  documentOf,
  MEDIA_TYPE,
  type Relations,
  type ResourceObject,
} from '../support/client.ts';
import { makeDemand, makeParties, purchase } from '../support/make.ts';

const api = useApi();

/** The importer sends more creates than may wait, each connection many before the first response. */
const [CONNECTIONS, CREATES_OF_CONNECTION] = [95, 50];
/** Every tenth payment is confirmed, so that outcomes are recorded beside creates. */
const CONFIRMED_EACH = 10;
/** Rows of the batches that run when a request arrives. Nothing can overtake these. */
const IN_FLIGHT_ROWS = 2 * 256;

interface Shop {
  readonly id: string;
  readonly key: string;
  readonly client: Client;
  readonly parties: Relations;
}

async function openShop(): Promise<Shop> {
  const merchant = await api.fixtures.makeMerchant();
  const key = await merchant.makeKey();
  const client = api.as(key);
  return { id: merchant.id, key, client, parties: await makeParties(client) };
}

let importer: Shop;
let neighbour: Shop;
beforeAll(async () => {
  [importer, neighbour] = [await openShop(), await openShop()];
});

const PATH = '/v2/payment_demands';
const documentFor = ({ parties }: Shop, attributes: object) =>
  documentOf('payment_demands', { ...purchase, ...attributes }, parties);

/** Bytes of a create, as a client sends them. */
function requestText(shop: Shop, attributes: object, isLast: boolean): string {
  const body = JSON.stringify(documentFor(shop, attributes));
  return [
    `POST ${PATH} HTTP/1.1`,
    `Host: ${new URL(api.stack.baseUrl).host}`,
    `Authorization: Bearer ${shop.key}`,
    'User-Agent: florin-tests/1',
    `Content-Type: ${MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(isLast ? ['Connection: close'] : []),
    '',
    body,
  ].join('\r\n');
}

/** Responses on one connection, in the order of the requests. */
interface Responses {
  readonly statuses: number[];
  readonly text: string;
}

/** Sends creates over one connection without waiting for responses. */
async function sendCreates(shop: Shop, onFirst: () => void): Promise<Responses> {
  const { hostname, port } = new URL(api.stack.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.once('readable', onFirst);
  const requests = Array.from({ length: CREATES_OF_CONNECTION }, (_, nth) =>
    requestText(
      shop,
      nth % CONFIRMED_EACH === 0 ? { confirmed: true } : {},
      nth === CREATES_OF_CONNECTION - 1,
    ),
  );
  socket.write(requests.join(''));
  const answered = await text(socket);
  const statuses = [...answered.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
    Number(status),
  );
  return { statuses, text: answered };
}

/** Creates a plain and a confirmed payment, one after the other. */
const createBoth = async (shop: Shop): Promise<Answer[]> => [
  await shop.client.send('POST', PATH, documentFor(shop, {})),
  await shop.client.send('POST', PATH, documentFor(shop, { confirmed: true })),
];

/** Reads a payment and a list, and changes the payment. */
async function readAndChange({ client }: Shop, { id }: ResourceObject): Promise<Answer[]> {
  const path = `${PATH}/${id}`;
  const change = documentOf('payment_demands', { description: 'changed' }, {}, id);
  return [
    await client.get(path),
    await client.get(`${PATH}?page[size]=5`),
    await client.send('PATCH', path, change),
  ];
}

/** Payments in the order in which their requests arrived, with the transaction that stored each. */
const readStored = (): Promise<Row[]> =>
  api.fixtures.db.query(
    `select merchant_id, xmin::text as stored_by from payment_demands
     where merchant_id = any($1) and not confirmed order by id`,
    [[importer.id, neighbour.id]],
  );

/** Largest number of the importer's earlier payments that were stored after one of the neighbour's. */
const mostOvertaken = (rows: readonly Row[]): number =>
  Math.max(
    ...rows.flatMap(({ merchant_id, stored_by }, at) =>
      merchant_id === importer.id
        ? []
        : [rows.slice(0, at).filter((row) => Number(row.stored_by) > Number(stored_by)).length],
    ),
  );

it('an importer with 4,000 waiting creates is refused more, and leaves turns to others', async () => {
  const payment = await makeDemand(neighbour.client);
  const { promise: firstRefusal, resolve: onFirst } = Promise.withResolvers<void>();
  await using blocker = await blockInserts(api.fixtures.db, 'payment_demands');
  const imports = Array.from({ length: CONNECTIONS }, () => sendCreates(importer, onFirst));
  await firstRefusal;
  const answers = await readAndChange(neighbour, payment);
  const creates = createBoth(neighbour);
  await blocker.release();
  answers.push(...(await creates));
  const responses = await Promise.all(imports);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201]);
  expect(mostOvertaken(await readStored())).toBeGreaterThan(IN_FLIGHT_ROWS);
  const counts = countValues(responses.flatMap(({ statuses }) => statuses));
  expect([...counts.keys()].toSorted()).toEqual([201, 503]);
  expect(counts.get(201)).toBeGreaterThanOrEqual(4_000);
  const refusal = responses.find(({ statuses }) => statuses.includes(503))?.text ?? '';
  expect(refusal).toMatch(/retry-after: 1/i);
  expect(refusal).toContain(
    'At most 4096 such requests may wait at this server, and this merchant',
  );
});

const countValues = (values: readonly number[]): ReadonlyMap<number, number> =>
  new Map([...Map.groupBy(values, (value) => value)].map(([value, { length }]) => [value, length]));
