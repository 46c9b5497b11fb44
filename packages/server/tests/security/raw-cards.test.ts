import { isValidCardNumber } from '@florin/contract/card/card-number.ts';
import { luhnOk } from '@florin/contract/card/luhn.ts';
import { type CardNetwork, cardNetworks } from '@florin/contract/card/networks.ts';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import type {} from '@florin/dev-env/global-setup.ts';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, MEDIA_TYPE, UNKNOWN_ID } from '../support/client.ts';
import { type RawRequest, rawRequest } from '../support/raw-request.ts';
import { type Route, routes } from '../support/routes.ts';

const api = useApi();

/** Shorter numbers are accepted, because many are article numbers. */
const DIGITS_MIN = 14;

const arbitraryNumberOf = ({ ranges, lengths }: CardNetwork): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...ranges),
      fc.constantFrom(...lengths.filter((length) => length >= DIGITS_MIN)),
      fc.stringMatching(/^\d{19}$/),
      fc.nat(),
    )
    .map(([[from, to], length, tail, choice]) => {
      const prefix = String(Number(from) + (choice % (Number(to) - Number(from) + 1)));
      const body = prefix + tail.slice(0, length - prefix.length - 1);
      return [...'0123456789'].map((digit) => body + digit).find(luhnOk) as string;
    });

const groupDigits = (number: string, separator: string): string =>
  number.replace(/\d{4}(?=\d)/g, `$&${separator}`);
/** Notations of a number by people and programs. */
const notations: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => groupDigits(number, ' '),
  (number) => groupDigits(number, '-'),
  (number) => groupDigits(number, '.'),
  (number) => groupDigits(number, '\u00a0'),
  (number) => groupDigits(number, '\u200b'),
  (number) => `card ${number}, thanks`,
  (number) => `${number} 12/39`,
  (number) => number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (number) => number.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
];

interface RawCard {
  readonly number: string;
  readonly cardText: string;
}

const arbitraryCard: fc.Arbitrary<RawCard> = fc
  .tuple(fc.oneof(...cardNetworks.map(arbitraryNumberOf)), fc.constantFrom(...notations))
  .map(([number, writeNumber]) => ({ number, cardText: writeNumber(number) }));

/** Every number that this file has sent. */
const sentNumbers = new Set<string>();

/** Draws new card numbers. */
function drawCards(count: number): RawCard[] {
  const cards = fc.sample(arbitraryCard, {
    numRuns: count,
    seed: inject('seed') + sentNumbers.size,
  });
  for (const { number } of cards) sentNumbers.add(number);
  return cards;
}

/** Number of concurrent requests. */
const CONCURRENCY = 8;

type CardPosition = readonly [name: string, request: (cardText: string) => RawRequest];

/** Positions where the number was not refused properly, or was repeated. */
async function findLeaks(positions: readonly CardPosition[]): Promise<string[]> {
  const cards = drawCards(positions.length);
  const leaks: string[] = [];
  const sendCard = async ([name, buildRequest]: CardPosition, index: number): Promise<void> => {
    const { number, cardText } = cards[index] as RawCard;
    const request = buildRequest(cardText);
    const answer = await rawRequest(api.stack.baseUrl, {
      ...request,
      headers: {
        authorization: `Bearer ${api.stack.credentials.sandbox.secret_key}`,
        'user-agent': 'florin-tests/1',
        ...(request.body !== undefined && { 'content-type': MEDIA_TYPE }),
        ...request.headers,
      },
    });
    const [error] = answer.body?.errors ?? [];
    if (answer.status !== 422 || error?.code !== 'raw_card_data_forbidden') {
      leaks.push(`${name}: ${answer.status} ${error?.code}`);
    }
    const headerText = JSON.stringify([...answer.headers]);
    if ([number, cardText].some((text) => (answer.text + headerText).includes(text))) {
      leaks.push(`${name}: repeated`);
    }
  };
  const queue = [...positions.entries()];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let entry = queue.pop(); entry; entry = queue.pop()) await sendCard(entry[1], entry[0]);
    }),
  );
  return leaks;
}

const pathOf = ({ template }: Route): string => template.replace('{id}', UNKNOWN_ID);
const writeRoutes = routes.filter(({ method }) => method !== 'GET');
const unknownRecordOf = (type: string) => ({ type, id: UNKNOWN_ID });

/** Every member with a value in a write's document, and some that no document has. */
function positionsOfRoute(route: Route): CardPosition[] {
  const { fields, relations }: Resource = resources[route.type];
  const { method, type } = route;
  const name = `${method} ${route.template}`;
  const buildRequest = (body: object): RawRequest => ({
    method,
    path: pathOf(route),
    body: JSON.stringify(body),
  });
  const withAttributes = (attributes: object) =>
    buildRequest(documentOf(type, attributes, {}, method === 'PATCH' ? UNKNOWN_ID : undefined));
  return [
    ...[...Object.keys(fields), 'no_such_field'].map(
      (field): CardPosition => [
        `${name} ${field}`,
        (cardText) => withAttributes({ [field]: cardText }),
      ],
    ),
    ...Object.entries(relations).map(
      ([relation, { to }]): CardPosition => [
        `${name} → ${relation}`,
        (cardText) =>
          buildRequest(
            documentOf(type, {}, { [relation]: { ...unknownRecordOf(to), id: cardText } }),
          ),
      ],
    ),
    [`${name} in a list`, (cardText) => withAttributes({ line_items: [{}, { name: cardText }] })],
    [`${name} as a key`, (cardText) => withAttributes({ [cardText]: true })],
    [`${name} type`, (cardText) => buildRequest({ data: { type: cardText } })],
    [`${name} id`, (cardText) => buildRequest({ data: { type, id: cardText } })],
    [
      `${name} meta`,
      (cardText) => buildRequest({ ...documentOf(type, {}), meta: { note: cardText } }),
    ],
    [`${name} as text`, (cardText) => ({ method, path: pathOf(route), body: cardText })],
  ];
}

const positionsOfType = (type: ResourceType): CardPosition[] => {
  const { fields }: Resource = resources[type];
  const buildRequest = (query: string): RawRequest => ({ path: `/v2/${type}?${query}` });
  const parameters = [
    ...Object.keys(fields).map((field) => `filter[${field}]`),
    'filter[created_at][gt]',
    'sort',
    'include',
    `fields[${type}]`,
    'page[after]',
    'page[size]',
    'no_such_parameter',
  ];
  return [
    ...parameters.map(
      (name): CardPosition => [
        `${type}?${name}`,
        (cardText) => buildRequest(`${name}=${encodeURIComponent(cardText)}`),
      ],
    ),
    [`${type}?<number>`, (cardText) => buildRequest(`${encodeURIComponent(cardText)}=1`)],
    [`${type}/<number>`, (cardText) => ({ path: `/v2/${type}/${encodeURIComponent(cardText)}` })],
  ];
};

const toAscii = (cardText: string): string =>
  cardText
    .normalize('NFKC')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/^\D+|\D+$/g, '');
const headers = [
  'idempotency-key',
  'x-request-id',
  'user-agent',
  'cookie',
  'accept-language',
  'referer',
  'x-anything',
];

/**
 * All positions of one item, and one position of every other item, in rotation: the same check reads all requests
 * before they are routed.
 */
const samplePositions = <Item>(
  items: readonly Item[],
  fullItem: Item,
  positionsOfItem: (item: Item) => CardPosition[],
): CardPosition[] =>
  items.flatMap((item, index) => {
    const positions = positionsOfItem(item);
    return item === fullItem ? positions : [positions[index % positions.length] as CardPosition];
  });

describe('#22 a card number in clear', { timeout: 300_000 }, () => {
  it('is refused at every create, update and action, wherever it is in the document', async () => {
    const paymentRoute = writeRoutes.find(
      ({ template }) => template === '/v2/payment_demands',
    ) as Route;
    const positions = samplePositions(writeRoutes, paymentRoute, positionsOfRoute);
    expect(positions.length).toBeGreaterThan(writeRoutes.length + 20);
    expect(await findLeaks(positions)).toEqual([]);
  });

  it('is refused at every list, in each parameter and in the path', async () => {
    const positions = samplePositions(
      Object.keys(resources) as ResourceType[],
      'payment_demands',
      positionsOfType,
    );
    expect(positions.length).toBeGreaterThan(Object.keys(resources).length + 20);
    expect(await findLeaks(positions)).toEqual([]);
  });

  it('is refused in every header', async () => {
    const toHeaderText = (text: string) =>
      /\d{8}/.test(toAscii(text)) || toAscii(text).length > 13 ? toAscii(text) : '4005519200000004';
    expect(
      await findLeaks(
        headers.map(
          (name): CardPosition => [
            name,
            (text) => ({ path: '/v2/customers', headers: { [name]: toHeaderText(text) } }),
          ],
        ),
      ),
    ).toEqual([]);
  });

  it('is refused as a JSON number', async () => {
    const positions = writeRoutes.slice(0, CONCURRENCY).map(
      (route): CardPosition => [
        `${route.method} ${route.template}`,
        (cardText) => {
          const digits = cardText.normalize('NFKC').replace(/\D/g, '').slice(0, 16);
          const number =
            isValidCardNumber(digits) && digits.length === 16 ? digits : '5406004444444443';
          const body = JSON.stringify(documentOf(route.type, { note: 0 })).replace(
            ':0',
            `:${number}`,
          );
          return { method: route.method, path: pathOf(route), body };
        },
      ],
    );
    expect(await findLeaks(positions)).toEqual([]);
  });

  it('is in no table afterwards', async () => {
    const pool = new pg.Pool({ connectionString: api.stack.adminDatabaseUrl, max: 1 });
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema in (current_schema(), 'vault')`,
    );
    const leakingTables: string[] = [];
    for (const { name } of rows) {
      const lines = await pool.query<{ line: string }>(`select t::text as line from ${name} t`);
      const digitRuns = lines.rows.flatMap(
        ({ line }) => line.replace(/[ .-]/g, '').match(/\d{14,}/g) ?? [],
      );
      if (digitRuns.some((run) => sentNumbers.has(run))) leakingTables.push(name);
    }
    await pool.end();
    expect(rows.length).toBeGreaterThan(30);
    expect(leakingTables).toEqual([]);
  });
});
