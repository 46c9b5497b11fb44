import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { sign, verify, type WebhookError, type WebhookHeaders } from '../src/main.ts';
import {
  BODY,
  EVENT_ID,
  edgeHeaders,
  edgeHex,
  NOW,
  OTHER_SECRET,
  SECRET,
  standardBase64,
  standardHeaders,
  T,
} from './deliveries.ts';

type Verified = Parameters<typeof verify>;

/** Error code of a refused request, or `taken` for an accepted one. */
const verifyOutcome = (
  body: unknown,
  headers: WebhookHeaders,
  secrets: unknown = SECRET,
  now = NOW,
) =>
  verify(body as Verified[0], headers, secrets as Verified[2], { now }).then(
    () => 'taken',
    ({ code }: WebhookError) => code,
  );

const allHeaders = { ...edgeHeaders(), ...standardHeaders() };
const createEdgeHeader = (value: string) => ({ 'edge-signature': value });
const hex = edgeHex();

it('accepts the published vector', async () => {
  const body =
    '{"data":{"id":"evt_1","type":"events","attributes":{"slug":"transaction.payment_demands.succeeded","data":{"amount":"5.00 €"}}}}';
  const signature = '04a017e658e40d32dfa5e557b2ff4d96ecc99555166cc97419850aa86b67ae21';
  const headers = createEdgeHeader(`t=1756742400,v3=${signature}`);
  // The secret is accepted: only the missing type of the event is an error.
  expect(await verifyOutcome(body, headers, 'whsec_TestSecret_éß')).toBe('not_an_event');
  expect(await verifyOutcome(body, headers, 'whsec_TestSecret_eß')).toBe('mismatch');
});

describe('a delivery', () => {
  it.each<[string, unknown, WebhookHeaders]>([
    ['with both signatures', BODY, allHeaders],
    ['with edge-signature alone', BODY, edgeHeaders()],
    ['with Standard Webhooks headers alone', BODY, standardHeaders()],
    ['as bytes', Buffer.from(BODY), allHeaders],
    ['as a part of a larger buffer', Buffer.from(`x${BODY}x`).subarray(1, -1), allHeaders],
    ['as an ArrayBuffer', new TextEncoder().encode(BODY).buffer, allHeaders],
    ['with headers of the Fetch API', BODY, new Headers(allHeaders)],
    ['with headers in capitals', BODY, { 'Edge-Signature': allHeaders['edge-signature'] }],
    [
      'with a header as an array of one',
      BODY,
      { 'edge-signature': [allHeaders['edge-signature']] },
    ],
    ['with tokens of schemes to come', BODY, createEdgeHeader(`v4=x,t=${T},v3=${hex},v5`)],
    [
      'with signatures of other versions and secrets beside its own',
      BODY,
      {
        ...standardHeaders(),
        'webhook-signature': `v1a,x v1,${standardBase64(BODY, OTHER_SECRET)} v1,${standardBase64()}`,
      },
    ],
    [
      'whose one signature is by another secret',
      BODY,
      { ...allHeaders, ...edgeHeaders(BODY, OTHER_SECRET) },
    ],
  ])('%s is accepted', async (_, body, headers) => {
    expect(await verifyOutcome(body, headers)).toBe('taken');
  });

  it('is returned as its event', async () => {
    const event = await verify(BODY, allHeaders, SECRET, { now: NOW });
    expect(event).toEqual({
      ...JSON.parse(BODY).data,
      code: 'transaction.payment_demands.succeeded',
    });
    if (event.code !== 'transaction.payment_demands.succeeded') throw new Error('another event');
    const cents: number = event.attributes.data.attributes.amount_cents;
    expect(cents).toBe(2500);
  });

  it('is accepted under either secret of a rotation, and under no other', async () => {
    for (const secret of [SECRET, OTHER_SECRET]) {
      const headers = { ...edgeHeaders(BODY, secret), ...standardHeaders(BODY, secret) };
      expect(await verifyOutcome(BODY, headers, [SECRET, OTHER_SECRET])).toBe('taken');
      expect(await verifyOutcome(BODY, headers, [secret.toLowerCase()])).toBe('mismatch');
    }
  });

  it.each([
    [-301, 'too_new'],
    [-300, 'taken'],
    [300, 'taken'],
    [301, 'too_old'],
  ])('%i s after its signature is %s', async (age_s, expected) => {
    const now = new Date((T + age_s) * 1000);
    expect(await verifyOutcome(BODY, edgeHeaders(), SECRET, now)).toBe(expected);
    expect(await verifyOutcome(BODY, standardHeaders(), SECRET, now)).toBe(expected);
  });

  it('may be as old as the given tolerance', async () => {
    const now = new Date((T + 3600) * 1000);
    const event = await verify(BODY, allHeaders, SECRET, { now, tolerance_s: 3600 });
    expect(
      await verify(BODY, allHeaders, SECRET, { now: now.getTime(), tolerance_s: 3600 }),
    ).toEqual(event);
    expect(event.id).toBe(EVENT_ID);
  });
});

describe('is refused', () => {
  it.each<[string, string, unknown, WebhookHeaders, unknown?]>([
    ['header_missing', 'no signature', BODY, { 'content-type': 'application/json' }],
    ['header_missing', 'an empty one', BODY, createEdgeHeader('')],
    ['header_missing', 'no webhook-id', BODY, { ...standardHeaders(), 'webhook-id': undefined }],
    [
      'header_repeated',
      'the header twice',
      BODY,
      { 'edge-signature': [allHeaders['edge-signature'], 'x'] },
    ],
    [
      'header_repeated',
      'the header in two ways of writing',
      BODY,
      {
        'edge-signature': allHeaders['edge-signature'],
        'Edge-Signature': allHeaders['edge-signature'],
      },
    ],
    [
      'header_malformed',
      'the header twice, as Node joins it',
      BODY,
      createEdgeHeader(`${allHeaders['edge-signature']}, ${allHeaders['edge-signature']}`),
    ],
    ['header_malformed', 'two t', BODY, createEdgeHeader(`t=${T},t=${T},v3=${hex}`)],
    ['header_malformed', 'two v3', BODY, createEdgeHeader(`t=${T},v3=${hex},v3=${hex}`)],
    ['header_malformed', 'no t', BODY, createEdgeHeader(`v3=${hex}`)],
    ['header_malformed', 'no v3', BODY, createEdgeHeader(`t=${T}`)],
    ['header_malformed', 'a t in hex', BODY, createEdgeHeader(`t=0x68b5,v3=${hex}`)],
    ['header_malformed', 'a negative t', BODY, createEdgeHeader(`t=-${T},v3=${hex}`)],
    ['header_malformed', 'a t with a fraction', BODY, createEdgeHeader(`t=${T}.0,v3=${hex}`)],
    ['header_malformed', 'an empty t', BODY, createEdgeHeader(`t=,v3=${hex}`)],
    [
      'header_malformed',
      'a v3 in capitals',
      BODY,
      createEdgeHeader(`t=${T},v3=${hex.toUpperCase()}`),
    ],
    [
      'header_malformed',
      'a v3 that is too short',
      BODY,
      createEdgeHeader(`t=${T},v3=${hex.slice(2)}`),
    ],
    ['header_malformed', 'a header without end', BODY, createEdgeHeader(`${'x'.repeat(5000)}`)],
    [
      'header_malformed',
      'a webhook-timestamp that is text',
      BODY,
      { ...standardHeaders(), 'webhook-timestamp': 'now' },
    ],
    ...['v1,', 'v1,###', `v1,${standardBase64()}, v1,x`, 'v2,x', 'v1,QQ=='].map(
      (value): [string, string, unknown, WebhookHeaders] => [
        'header_malformed',
        `webhook-signature ${value.slice(0, 8)}`,
        BODY,
        { ...standardHeaders(), 'webhook-signature': value },
      ],
    ),
    ['body_parsed', 'an object for its body', JSON.parse(BODY), allHeaders],
    ['body_parsed', 'no body', undefined, allHeaders],
    ['body_changed', 'its own JSON, written again', JSON.stringify(JSON.parse(BODY)), allHeaders],
    [
      'body_changed',
      'its own JSON, with line breaks',
      JSON.stringify(JSON.parse(BODY), null, 2),
      allHeaders,
    ],
    [
      'body_changed',
      'JSON that was changed, with line breaks',
      JSON.stringify(JSON.parse(BODY.replace('2500', '9500')), null, 2),
      allHeaders,
    ],
    ['mismatch', 'arrays without end', '['.repeat(100_000) + ']'.repeat(100_000), edgeHeaders()],
    ['mismatch', 'null', 'null', edgeHeaders()],
    ['body_changed', 'null beside an event’s id', 'null', allHeaders],
    ['body_changed', 'other escapes', BODY.replace('€', '\\u20ac'), allHeaders],
    ['body_changed', 'its half', BODY.slice(0, BODY.length / 2), allHeaders],
    ['body_changed', 'an empty body', '', allHeaders],
    ['body_changed', 'a line feed at its end', `${BODY}\n`, allHeaders],
    [
      'body_changed',
      'another length than its header',
      BODY.replace('2500', '25000'),
      { ...allHeaders, 'content-length': String(Buffer.byteLength(BODY)) },
    ],
    ['body_changed', 'another event’s id', BODY.replace('d0b11', 'd0b99'), allHeaders],
    ['mismatch', 'another amount', BODY.replace('2500', '9500'), allHeaders],
    ['mismatch', 'another time', BODY, { 'edge-signature': `t=${T + 1},v3=${hex}` }],
    ['mismatch', 'another secret', BODY, allHeaders, OTHER_SECRET],
    ['secret_wrong', 'a secret with a line feed', BODY, allHeaders, `${SECRET}\n`],
    ['secret_wrong', 'a secret in quotation marks', BODY, allHeaders, `"${SECRET}"`],
    ['secret_wrong', 'a secret with a prefix', BODY, edgeHeaders(), `whsec_${SECRET}`],
    [
      'secret_wrong',
      'an API key for a secret',
      BODY,
      allHeaders,
      'ept_sandbox_s123456789ABCDEFGHJK',
    ],
    ['secret_wrong', 'eleven secrets', BODY, allHeaders, Array(11).fill(SECRET)],
    ['secret_missing', 'no secret', BODY, allHeaders, null],
    ['secret_missing', 'an empty secret', BODY, allHeaders, ''],
    ['secret_missing', 'an empty list', BODY, allHeaders, []],
    ['secret_missing', 'a list with an empty one', BODY, allHeaders, [SECRET, '']],
    ['not_an_event', 'another document', '{"data":[]}', edgeHeaders('{"data":[]}')],
    ['not_an_event', 'no document', 'hello', edgeHeaders('hello')],
  ])('as %s: %s', async (code, _, body, headers, secrets = SECRET) => {
    expect(await verifyOutcome(body, headers, secrets)).toBe(code);
  });

  it('with a message that reveals nothing of the request', async () => {
    const tamperedBody = BODY.replace('2500', '9500');
    const error = await verify(tamperedBody, allHeaders, OTHER_SECRET, { now: NOW }).catch(
      (caught) => caught,
    );
    expect(error.name).toBe('WebhookError');
    for (const part of [OTHER_SECRET, hex, '9500', EVENT_ID]) {
      expect(error.message).not.toContain(part);
    }
  });
});

describe('sign', () => {
  it('makes the headers that Florin sends', async () => {
    expect(await sign(BODY, SECRET, { id: EVENT_ID, now: NOW })).toEqual(allHeaders);
  });

  it('agrees with the standardwebhooks package in both directions', async () => {
    const library = new Webhook(`${SECRET}=`);
    const now = new Date();
    const florinHeaders = await sign(BODY, SECRET, { id: EVENT_ID, now });
    expect(library.verify(BODY, florinHeaders)).toEqual(JSON.parse(BODY));
    const libraryHeaders = {
      ...standardHeaders(BODY, SECRET, Math.floor(now.getTime() / 1000)),
      'webhook-signature': library.sign(EVENT_ID, now, BODY),
    };
    expect(await verifyOutcome(BODY, libraryHeaders, SECRET, now)).toBe('taken');
    expect(await verifyOutcome(BODY, libraryHeaders, `whsec_${SECRET}=`, now)).toBe('taken');
  });

  it('makes no Standard Webhooks headers with a secret that is not base64', async () => {
    const headers = await sign(BODY, 'whsec_TestSecret_éß', { id: EVENT_ID });
    expect(Object.keys(headers)).toEqual(['edge-signature']);
  });
});
