import { errorTable } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, MEDIA_TYPE } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';

const api = useApi();
const customer = documentOf('customers', { email: 'nobody' });
const good = documentOf('customers', { email: 'a@example.com' });

const refused: readonly (readonly [what: string, status: number, ask: () => Promise<Answer>])[] = [
  ['a malformed body', 400, () => api.client.send('POST', '/v2/customers', '{')],
  ['an unknown parameter', 400, () => api.client.get('/v2/customers?a=1')],
  ['a broken percent-encoding', 400, () => api.client.get('/v2/customers?filter[name]=%E0%A4')],
  ['no key', 401, () => api.client.get('/v2/customers', { authorization: null })],
  ['a forbidden address', 403, () => api.client.get('/v1/meters')],
  ['an unknown record', 404, () => api.client.get('/v2/customers/x')],
  ['an unknown address', 404, () => api.client.get('/v3/x')],
  ['a refused method', 405, () => api.client.send('DELETE', '/v2/customers')],
  ['a refused Accept', 406, () => api.client.get('/v2/customers', { accept: 'text/html' })],
  [
    'another type',
    409,
    () => api.client.send('POST', '/v2/customers', { data: { ...good.data, type: 'x' } }),
  ],
  ['a large body', 413, () => api.client.send('POST', '/v2/customers', 'x'.repeat(300_000))],
  [
    'a refused type',
    415,
    () => api.client.send('POST', '/v2/customers', customer, { 'content-type': 'text/plain' }),
  ],
  ['a bad value', 422, () => api.client.send('POST', '/v2/customers', customer)],
  ['a bad parameter', 422, () => api.client.get('/v2/customers?page[size]=x')],
];

describe('an error document', () => {
  it.each(refused)('154, 155, 156. of %s (%i) is complete', async (_what, status, ask) => {
    const { status: given, headers, body } = await ask();
    expect([given, headers.get('content-type')]).toEqual([status, MEDIA_TYPE]);
    expect(flawsOf(body)).toEqual([]);
    for (const error of body.errors ?? []) {
      const known = errorTable[error.code as keyof typeof errorTable];
      expect(error).toMatchObject({ status: String(known.status), title: known.title });
      expect(error.status).toBe(String(status));
      expect(error.detail).toMatch(/^[A-Z\w].*\.$/s);
    }
  });

  it('156. of the same mistake differs in its id alone', async () => {
    const ask = async () => (await api.client.get('/v2/customers?page[size]=x')).body.errors![0]!;
    const [one, other] = [await ask(), await ask()] as unknown as Record<string, unknown>[];
    expect({ ...one, id: '' }).toEqual({ ...other, id: '' });
    expect(one!.id).not.toBe(other!.id);
  });

  it('157. points to a member of the body that was sent', async () => {
    const body = documentOf('payment_demands', {
      amount_cents: 1,
      amount_currency: 'USD',
      line_items: [{ quantity: 'x', amount_cents: 1, amount_currency: 'USD' }],
    });
    const { body: answer } = await api.client.send('POST', '/v2/payment_demands', body);
    const pointed = answer.errors!.map(({ source }) => at(body, source!.pointer!));
    expect(pointed).toEqual([1, 'x']);
  });
});

/** What an RFC 6901 pointer leads to. */
const at = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, part) => (value as Record<string, unknown>)[part], document);
