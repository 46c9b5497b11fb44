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
import { documentOf, MEDIA_TYPE, NOBODY } from '../support/client.ts';
import { type RawRequest, rawRequest } from '../support/raw-request.ts';
import { type Route, routes } from '../support/routes.ts';

const api = useApi();

/** Shorter numbers are accepted, because many are article numbers. */
const DIGITS_MIN = 14;

const numberOf = ({ ranges, lengths }: CardNetwork): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...ranges),
      fc.constantFrom(...lengths.filter((length) => length >= DIGITS_MIN)),
      fc.stringMatching(/^\d{19}$/),
      fc.nat(),
    )
    .map(([[from, to], length, tail, choice]) => {
      const lead = String(Number(from) + (choice % (Number(to) - Number(from) + 1)));
      const body = lead + tail.slice(0, length - lead.length - 1);
      return [...'0123456789'].map((digit) => body + digit).find(luhnOk) as string;
    });

const inFours = (number: string, gap: string): string => number.replace(/\d{4}(?=\d)/g, `$&${gap}`);
/** Notations of a number by people and programs. */
const disguises: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => inFours(number, ' '),
  (number) => inFours(number, '-'),
  (number) => inFours(number, '.'),
  (number) => inFours(number, '\u00a0'),
  (number) => inFours(number, '\u200b'),
  (number) => `card ${number}, thanks`,
  (number) => `${number} 12/39`,
  (number) => number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (number) => number.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
];

interface Raw {
  readonly number: string;
  readonly written: string;
}

const raw: fc.Arbitrary<Raw> = fc
  .tuple(fc.oneof(...cardNetworks.map(numberOf)), fc.constantFrom(...disguises))
  .map(([number, disguise]) => ({ number, written: disguise(number) }));

/** Every number that this file has sent. */
const sent = new Set<string>();

/** New numbers. */
function drawCards(count: number): Raw[] {
  const drawn = fc.sample(raw, { numRuns: count, seed: inject('seed') + sent.size });
  for (const { number } of drawn) sent.add(number);
  return drawn;
}

/** Number of concurrent requests. */
const AT_ONCE = 8;

type Place = readonly [name: string, request: (written: string) => RawRequest];

/** Locations where the number was not refused properly, or was repeated. */
async function findLeaks(places: readonly Place[]): Promise<string[]> {
  const drawn = drawCards(places.length);
  const found: string[] = [];
  const sendCard = async ([name, requestOf]: Place, at: number): Promise<void> => {
    const { number, written } = drawn[at] as Raw;
    const request = requestOf(written);
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
      found.push(`${name}: ${answer.status} ${error?.code}`);
    }
    const head = JSON.stringify([...answer.headers]);
    if ([number, written].some((text) => (answer.text + head).includes(text))) {
      found.push(`${name}: repeated`);
    }
  };
  const waiting = [...places.entries()];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await sendCard(next[1], next[0]);
    }),
  );
  return found;
}

const pathOf = ({ template }: Route): string => template.replace('{id}', NOBODY);
const writes = routes.filter(({ method }) => method !== 'GET');
const unknownOf = (type: string) => ({ type, id: NOBODY });

/** Every member with a value in a write's document, and some that no document has. */
function placesOf(route: Route): Place[] {
  const { fields, relations }: Resource = resources[route.type];
  const { method, type } = route;
  const name = `${method} ${route.template}`;
  const send = (body: object): RawRequest => ({
    method,
    path: pathOf(route),
    body: JSON.stringify(body),
  });
  const withAttributes = (attributes: object) =>
    send(documentOf(type, attributes, {}, method === 'PATCH' ? NOBODY : undefined));
  return [
    ...[...Object.keys(fields), 'no_such_field'].map(
      (field): Place => [`${name} ${field}`, (written) => withAttributes({ [field]: written })],
    ),
    ...Object.entries(relations).map(
      ([relation, { to }]): Place => [
        `${name} → ${relation}`,
        (written) => send(documentOf(type, {}, { [relation]: { ...unknownOf(to), id: written } })),
      ],
    ),
    [`${name} in a list`, (written) => withAttributes({ line_items: [{}, { name: written }] })],
    [`${name} as a key`, (written) => withAttributes({ [written]: true })],
    [`${name} type`, (written) => send({ data: { type: written } })],
    [`${name} id`, (written) => send({ data: { type, id: written } })],
    [`${name} meta`, (written) => send({ ...documentOf(type, {}), meta: { note: written } })],
    [`${name} as text`, (written) => ({ method, path: pathOf(route), body: written })],
  ];
}

const queriesOf = (type: ResourceType): Place[] => {
  const { fields }: Resource = resources[type];
  const get = (query: string): RawRequest => ({ path: `/v2/${type}?${query}` });
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
      (name): Place => [
        `${type}?${name}`,
        (written) => get(`${name}=${encodeURIComponent(written)}`),
      ],
    ),
    [`${type}?<number>`, (written) => get(`${encodeURIComponent(written)}=1`)],
    [`${type}/<number>`, (written) => ({ path: `/v2/${type}/${encodeURIComponent(written)}` })],
  ];
};

const toAscii = (written: string): string =>
  written
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
 * All places of the given item, and one of every other item, in rotation. One check reads all requests before their
 * routes do.
 */
const samplePlaces = <Item>(
  items: readonly Item[],
  whole: Item,
  of: (item: Item) => Place[],
): Place[] =>
  items.flatMap((item, at) => {
    const places = of(item);
    return item === whole ? places : [places[at % places.length] as Place];
  });

describe('#22 a card number in clear', { timeout: 120_000 }, () => {
  it('is refused at every create, update and action, wherever it is in the document', async () => {
    const whole = writes.find(({ template }) => template === '/v2/payment_demands') as Route;
    const places = samplePlaces(writes, whole, placesOf);
    expect(places.length).toBeGreaterThan(writes.length + 20);
    expect(await findLeaks(places)).toEqual([]);
  });

  it('is refused at every list, in each parameter and in the path', async () => {
    const places = samplePlaces(
      Object.keys(resources) as ResourceType[],
      'payment_demands',
      queriesOf,
    );
    expect(places.length).toBeGreaterThan(Object.keys(resources).length + 20);
    expect(await findLeaks(places)).toEqual([]);
  });

  it('is refused in every header', async () => {
    const writtenForms = (text: string) =>
      /\d{8}/.test(toAscii(text)) || toAscii(text).length > 13 ? toAscii(text) : '4005519200000004';
    expect(
      await findLeaks(
        headers.map(
          (name): Place => [
            name,
            (text) => ({ path: '/v2/customers', headers: { [name]: writtenForms(text) } }),
          ],
        ),
      ),
    ).toEqual([]);
  });

  it('is refused as a JSON number', async () => {
    const asNumber = writes.slice(0, AT_ONCE).map(
      (route): Place => [
        `${route.method} ${route.template}`,
        (written) => {
          const digits = written.normalize('NFKC').replace(/\D/g, '').slice(0, 16);
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
    expect(await findLeaks(asNumber)).toEqual([]);
  });

  it('is in no table afterwards', async () => {
    const pool = new pg.Pool({ connectionString: api.stack.adminDatabaseUrl, max: 1 });
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema in ('public', 'vault')`,
    );
    const kept: string[] = [];
    for (const { name } of rows) {
      const lines = await pool.query<{ line: string }>(`select t::text as line from ${name} t`);
      const runs = lines.rows.flatMap(
        ({ line }) => line.replace(/[ .-]/g, '').match(/\d{14,}/g) ?? [],
      );
      if (runs.some((run) => sent.has(run))) kept.push(name);
    }
    await pool.end();
    expect(rows.length).toBeGreaterThan(30);
    expect(kept).toEqual([]);
  });
});
