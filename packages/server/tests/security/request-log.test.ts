import { resources } from '@florin/contract/resources/index.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeKey } from '../../src/features/merchants/api-key.ts';
import { createRedactor } from '../../src/features/request-log/redact.ts';
import { createAddressRedactor } from '../../src/features/request-log/redact-address.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import { isStorable, isStorableJson } from '../../src/jsonapi/values/text.ts';
import { uuidv7 } from '../../src/platform/ids.ts';

const models = compileModels(resources);
const redact = createRedactor(models);
const addressRedactor = createAddressRedactor(models);
const types = Object.keys(resources);

/** Percent-encodes a text. Half a surrogate pair has no encoding, so its bytes are fixed. */
const percentEncode = (text: string): string =>
  [...text]
    .map((character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ed%a0%80'))
    .join('');

const redactDocument = (document: unknown) => {
  const text = redact(Buffer.from(JSON.stringify(document)));
  return text === null ? null : JSON.parse(text);
};

/** Values that the log must not contain, wherever a client sends them. */
const secrets = [
  makeKey('live', 'secret'),
  makeKey('sandbox', 'browser'),
  'whsec_TestSecret_0123456789',
  'ada.lovelace@example.com',
  '4005519200000004',
  '4005 5192 0000 0004',
  'Ada Lovelace',
  'Flat 5, 1 Main Street',
  '+1 212 555 0100',
];
const secret = fc.constantFrom(...secrets);

const memberNames = types.flatMap((type) => {
  const { fields, relations } = models.get(type);
  return [...fields.keys(), ...relations.keys()];
});
/** Names of fields, and unknown names. */
const name = fc.oneof(
  fc.constantFrom(...new Set(memberNames)),
  fc.constantFrom('data', 'cvv', 'note'),
  secret,
);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    secret,
    fc.constantFrom(null, true, 2500, '2026-11-21T12:00:00Z', 'USD', uuidv7(0)),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }),
  ),
})).any;

const record = fc.record(
  {
    type: fc.oneof(fc.constantFrom(...types), secret),
    id: fc.oneof(fc.constant(uuidv7(0)), secret),
    attributes: fc.oneof(fc.dictionary(name, value, { maxKeys: 8 }), value),
    relationships: fc.dictionary(name, fc.record({ data: value }), { maxKeys: 3 }),
    meta: value,
    links: value,
  },
  { requiredKeys: [] },
);

const document = fc.record(
  {
    data: fc.oneof(record, fc.array(record, { maxLength: 3 }), value),
    included: fc.array(record, { maxLength: 3 }),
    errors: fc.array(fc.record({ code: secret, source: fc.dictionary(name, secret) }), {
      maxLength: 2,
    }),
    meta: value,
    extra: value,
  },
  { requiredKeys: [] },
);

/** Keeps letters, digits and @, so that spaces and escapes cannot hide a leak. */
const normalise = (text: string): string => text.toLowerCase().replace(/[^a-z0-9@]/g, '');

/** Personal data that is masked only in known attributes, not in `meta` or errors. */
const unrecognisableTexts = new Set(['Ada Lovelace', 'Flat 5, 1 Main Street', '+1 212 555 0100']);

function findLeaks(text: string, forbiddenTexts: readonly string[]): string[] {
  return forbiddenTexts.filter((forbiddenText) =>
    normalise(text).includes(normalise(forbiddenText)),
  );
}

describe('the log of requests', () => {
  it('contains no secret, card number or email address, in any place of a document', () => {
    const recognisableSecrets = secrets.filter((candidate) => !unrecognisableTexts.has(candidate));
    fc.assert(
      fc.property(document, (drawnDocument) => {
        const text = redact(Buffer.from(JSON.stringify(drawnDocument)));
        expect(findLeaks(text ?? '', recognisableSecrets)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("contains no personal data of a record's attributes", () => {
    const attributes = fc.dictionary(name, value, { maxKeys: 8 });
    const unmaskedNames = new Set([
      'idempotency_key',
      'purchase_reference',
      'code',
      'failure_reason',
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...types), attributes, (type, drawnAttributes) => {
        const requested = Object.entries(drawnAttributes).filter(
          ([attributeName]) => !unmaskedNames.has(attributeName),
        );
        const text = redact(
          Buffer.from(
            JSON.stringify({ data: { type, attributes: Object.fromEntries(requested) } }),
          ),
        );
        const loggedText = (text ?? '').replace(/"(?:last_)?error":"[^"]*"/g, '');
        expect(findLeaks(loggedText, secrets)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('contains no personal data of an address', () => {
    const segment = fc.oneof(secret, fc.constantFrom('v2', 'customers', 'relationships', 'payer'));
    const parameter = fc.tuple(
      fc.oneof(
        fc.constantFrom('filter[payer.email]', 'filter[status]', 'sort', 'page[size]', 'q'),
        secret,
      ),
      fc.oneof(secret, fc.constantFrom('succeeded', '20', '-created_at')),
    );
    fc.assert(
      fc.property(fc.array(segment), fc.array(parameter), (segments, parameters) => {
        const path = addressRedactor.path(`/${segments.map(encodeURIComponent).join('/')}`);
        const query = addressRedactor.query(
          String(new URLSearchParams(parameters as [string, string][])),
        );
        expect(findLeaks(`${path} ${query}`, secrets)).toEqual([]);
      }),
    );
  });

  it('contains nothing that the database cannot store', () => {
    const oddText = fc.string({ unit: fc.constantFrom('a', '\0', '\ud800', '\udfff', '😀') });
    const any = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        oddText,
        fc.constantFrom(...types, null, 7),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(oddText, fc.constantFrom(...new Set(memberNames))), tie('any')),
      ),
    })).any;
    const members = fc.record({ data: any, included: any, errors: any, meta: any });
    fc.assert(
      fc.property(members, fc.array(fc.tuple(oddText, oddText)), (drawnDocument, parameters) => {
        const query = parameters.map((pair) => pair.map(percentEncode).join('=')).join('&');
        const loggedTexts = [
          addressRedactor.path(`/v2/${percentEncode(query)}`),
          addressRedactor.query(query) ?? '',
        ];
        expect(loggedTexts.every(isStorable)).toBe(true);
        expect(isStorableJson(redactDocument(drawnDocument))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('contains what helps to find a fault', () => {
    const requestBody = {
      data: {
        type: 'payment_demands',
        id: uuidv7(0),
        attributes: {
          amount_cents: 2500,
          amount_currency: 'USD',
          capture_method: 'manual',
          purchase_reference: 'order 17',
          payer_timezone: 'Europe/Berlin',
          line_items: [{ name: 'Rose', quantity: 2, amount_cents: 1250 }],
          metadata: { cart: '17' },
          colour: 'red',
        },
        relationships: { payer: { data: { type: 'customers', id: uuidv7(1) } } },
      },
    };
    const loggedBody = redactDocument(requestBody);
    expect(loggedBody.data).toEqual({
      ...requestBody.data,
      attributes: {
        ...requestBody.data.attributes,
        line_items: [{ name: '[masked]', quantity: 2, amount_cents: 1250 }],
        metadata: { cart: '[masked]' },
        colour: '[redacted]',
      },
    });
    expect(
      addressRedactor.query('filter[status]=failed,succeeded&filter[created_at][gte]=2026-11-21'),
    ).toBe('filter[status]=failed,succeeded&filter[created_at][gte]=2026-11-21');
    expect(addressRedactor.query('filter[payer.email]=ada@example.com&page[after]=abc')).toBe(
      'filter[payer.email]=[masked]&page[after]=[masked]',
    );
  });

  it('contains the last four digits, references and hashes that somebody looks for, but no card', () => {
    const searched = (type: string, attributes: object) =>
      redactDocument({ data: { type, attributes } }).data.attributes;
    const hash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(searched('payment_methods', { last_four: '0004', card_pan_token: 'pan_abc' })).toEqual({
      last_four: '0004',
      card_pan_token: '[redacted]',
    });
    expect(searched('dispute_files', { sha256_hash: hash, file_name: 'Ada Lovelace.pdf' })).toEqual(
      {
        sha256_hash: hash,
        file_name: '[masked]',
      },
    );
    const attempt = { authorisation_code: 'A1B2C3', processor_reference: '8a82-94:1' };
    expect(searched('payment_attempts', attempt)).toEqual(attempt);
    expect(addressRedactor.query('filter[last_four]=0004')).toBe('filter[last_four]=0004');
    for (const wrong of ['12345', 'Ada']) {
      expect(searched('payment_methods', { last_four: wrong })).toEqual({ last_four: '[masked]' });
    }
    expect(searched('payment_attempts', { processor_reference: 'Ada Lovelace' })).toEqual({
      processor_reference: '[masked]',
    });
    const withCard = { type: 'payment_methods', attributes: { last_four: '4005519200000004' } };
    expect(redactDocument({ data: withCard })).toBeNull();
  });

  it('contains the wrong values of closed sets, for which a request was refused', () => {
    const mistakes = {
      amount_cents: 24.99,
      amount_currency: 'usd',
      capture_method: 'manuel',
      payer_timezone: 'Europe/Berlni',
    };
    const refused = (attributes: object) =>
      redactDocument({ data: { type: 'payment_demands', attributes } }).data.attributes;
    expect(refused(mistakes)).toEqual(mistakes);
    expect(refused({ capture_method: 'hunter2', amount_currency: 'lovelace' })).toEqual({
      capture_method: '[redacted]',
      amount_currency: '[redacted]',
    });
    expect(addressRedactor.path('/v2/lovelace')).toBe('/v2/[redacted]');
    expect(addressRedactor.path('/v2/paymentdemands/ada@example.com')).toBe(
      '/v2/paymentdemands/[redacted]',
    );
    expect(addressRedactor.query('sort=-creatd_at')).toBe('sort=-creatd_at');
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf'])(
    'contains a document with members named %s',
    (memberName) => {
      const members = `{"${memberName}":"a","note":{"${memberName}":{"${memberName}":1}}}`;
      const records = ['"customers"', members].map(
        (type) => `{"type":${type},"attributes":${members},"meta":${members}}`,
      );
      const text = redact(Buffer.from(`{"data":[${records}],"meta":${members}}`));
      expect(JSON.parse(text ?? '').data).toMatchObject([
        { type: 'customers', attributes: { note: '[redacted]' } },
        { type: '[redacted]', attributes: { note: '[redacted]' } },
      ]);
    },
  );

  it.each([
    ['a body that is no JSON', Buffer.from('4005')],
    ['a body that is no object', Buffer.from('["a"]')],
    [
      'a body that is too large',
      Buffer.from(JSON.stringify({ data: { attributes: { a: 'x'.repeat(70_000) } } })),
    ],
    ['an empty body', Buffer.alloc(0)],
  ])('contains nothing of %s', (_title, body) => {
    expect(redact(body)).toBeNull();
  });
});
