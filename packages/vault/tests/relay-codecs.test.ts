import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { errorOf } from './support/vault.ts';

const NUMBER = '4242424242424242';
const MASK = '424242******4242';

let context: VaultContext;
let card: CardDescription;
useVault((started) => {
  context = started;
});
beforeEach(async () => {
  card = await context.vault.ingest();
});

const createRequest = (path: string, changes: Partial<RelayRequest>): RelayRequest => ({
  id: 'attempt-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  card_cvv_token: card.card_cvv_token!,
  consumes_cvv: true,
  method: 'POST',
  url: context.network.origin + path,
  headers: {},
  card_fields: {},
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

/** A request whose order of members a processor's schema could demand. */
const xmlRequest = {
  codec: 'xml',
  body: {
    sale: {
      '@id': '1',
      card: { type: 'VI', number: null, expDate: null, cardValidationNum: null },
      memo: 'a<b',
    },
  },
  card_fields: {
    '/sale/card/number': 'pan',
    '/sale/card/expDate': 'expiry_mmyy',
    '/sale/card/cardValidationNum': 'cvv',
  },
} as const;

const formRequest = {
  codec: 'form_brackets',
  body: { amount: 100, card: { number: null, month: null, cvc: null }, memo: 'a&b=c' },
  card_fields: { '/card/number': 'pan', '/card/month': 'expiry_month_number', '/card/cvc': 'cvv' },
} as const;

describe('a request', () => {
  test('in XML has the card in its elements', async () => {
    await context.vault.relay(createRequest('/approve', xmlRequest));
    const [received] = context.network.received;
    expect(received?.headers['content-type']).toBe('application/xml');
    expect(received?.body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<sale id="1"><card><type>VI</type>' +
        `<number>${NUMBER}</number><expDate>1230</expDate><cardValidationNum>987</cardValidationNum></card>` +
        '<memo>a&lt;b</memo></sale>',
    );
  });

  test.each([
    ['form_brackets', { 'card[number]': NUMBER, 'card[month]': '12', 'card[cvc]': '987' }],
    ['form_dots', { 'card.number': NUMBER, 'card.month': '12', 'card.cvc': '987' }],
  ] as const)('as %s has the card under nested names', async (codec, expected) => {
    await context.vault.relay(createRequest('/approve', { ...formRequest, codec }));
    const [received] = context.network.received;
    expect(received?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const values = Object.fromEntries(new URLSearchParams(received?.body));
    expect(values).toEqual({ amount: '100', memo: 'a&b=c', ...expected });
  });

  test('may have a content type of its own', async () => {
    const headers = { 'Content-Type': 'text/xml' };
    await context.vault.relay(createRequest('/approve', { ...xmlRequest, headers }));
    expect(context.network.received[0]?.headers['content-type']).toBe('text/xml');
  });

  test('omits an element whose value was used before', async () => {
    await context.vault.relay(createRequest('/approve', xmlRequest));
    await context.vault.relay(createRequest('/approve', { ...xmlRequest, id: 'attempt-2' }));
    const bodies = context.network.received.map(({ body }) => body.includes('987'));
    expect(bodies).toEqual([true, false]);
  });

  test('that its codec cannot write is not sent, and keeps the verification value', async () => {
    const body = { ...formRequest.body, memo: null };
    expect(
      await context.vault.relay(createRequest('/approve', { ...formRequest, body })),
    ).toMatchObject([
      {
        outcome: 'not_sent',
        why: 'body_unusable',
        detail: 'The body at /memo is null, and no placeholder names it.',
      },
    ]);
    expect(context.network.received).toHaveLength(0);
    await context.vault.relay(createRequest('/approve', formRequest));
    expect(context.network.received[0]?.body).toContain('987');
  });

  test('in an unknown codec is refused', async () => {
    const requests = [createRequest('/approve', { codec: 'yaml' as 'xml' })];
    const answer = await context.vault.post('/relay', { requests });
    expect([answer.status, errorOf(answer).detail]).toEqual([
      400,
      'requests[0].codec must be json or form_brackets or form_dots or xml or multipart.',
    ]);
  });
});

describe('a response', () => {
  test.each<[string, RelayRequest['answer_codec'], unknown]>([
    ['/xml', 'xml', { answer: { '@id': '7', result: 'approved', fee: ['1', '2'] } }],
    ['/form', 'form', { result: 'approved', text: 'all good' }],
    ['/form', 'text', 'result=approved&text=all+good'],
    ['/approve', undefined, { result: 'approved' }],
    ['/empty', 'xml', null],
  ])('of %s is read as %s', async (path, answer_codec, body) => {
    const request = createRequest(path, {
      ...xmlRequest,
      ...(answer_codec && { answer_codec }),
    });
    expect(await context.vault.relay(request)).toMatchObject([{ outcome: 'answered', body }]);
  });

  test.each(['/garbage', '/doctype', '/form'])(
    'of %s is no XML: its outcome is unknown',
    async (path) => {
      const request = createRequest(path, { ...xmlRequest, answer_codec: 'xml' });
      expect(await context.vault.relay(request)).toEqual([
        { id: 'attempt-1', outcome: 'lost', why: 'unreadable_answer' },
      ]);
    },
  );

  test.each([
    ['xml', xmlRequest],
    ['form', formRequest],
    ['text', xmlRequest],
    ['text', formRequest],
  ] as const)('that repeats the card as %s is masked', async (answer_codec, request) => {
    const [answer] = await context.vault.relay(
      createRequest('/raw-echo', { ...request, answer_codec }),
    );
    expect(context.network.received[0]?.body).toContain(NUMBER);
    const text = JSON.stringify(answer);
    expect(text).toContain(MASK);
    expect(text).not.toMatch(/4242424242|987/);
  });
});
