import { describe, expect, it } from 'vitest';
import { findEgressViolation, type RuledRequest } from './egress-rules.ts';
import type { EgressRule } from './processor-accounts.ts';

const ORIGIN = 'https://api.example';
const rules: EgressRule[] = [
  {
    origin: ORIGIN,
    method: 'POST',
    path: '/payments',
    card_fields: { '/source/number': 'pan', '/source/date': 'expiry_mmyy' },
    secret_fields: { '/login/password': 'password' },
  },
  { origin: ORIGIN, method: 'GET', path: '/payments', query: ['reference', 'limit'] },
  { origin: ORIGIN, method: 'POST', path: '/payments/*/captures' },
  { origin: 'https://files.example', method: 'GET', path: '/*' },
];

function refusalOf(method: 'GET' | 'POST', url: string, changes: Partial<RuledRequest> = {}) {
  const violation = findEgressViolation(rules, { method, ...changes }, new URL(url));
  return violation ? `${violation.why}: ${violation.detail}` : 'allowed';
}

describe('a message', () => {
  it.each<['GET' | 'POST', string]>([
    ['POST', '/payments'],
    ['POST', '/payments/pay_x-1.2~3/captures'],
    ['POST', '/payments/a%3Ab%3D%2B/captures'],
    ['GET', '/payments?limit=1&reference=a%2Fb'],
    ['GET', '/payments?'],
  ])('%s %s is allowed', (method, path) => {
    expect(refusalOf(method, ORIGIN + path)).toBe('allowed');
  });

  it.each<['GET' | 'POST', string, string]>([
    ['POST', 'https://files.example/payments', 'POST https://files.example/payments'],
    ['GET', 'http://files.example/x', 'GET http://files.example/x'],
    ['GET', `${ORIGIN}/payments/p1`, `GET ${ORIGIN}/payments/p1`],
    ['POST', `${ORIGIN}/PAYMENTS`, `POST ${ORIGIN}/PAYMENTS`],
    ['POST', `${ORIGIN}/payments/`, `POST ${ORIGIN}/payments/`],
    ['POST', `${ORIGIN}/payments//captures`, `POST ${ORIGIN}/payments//captures`],
    ['POST', `${ORIGIN}/payments/a/b/captures`, `POST ${ORIGIN}/payments/a/b/captures`],
    ['POST', `${ORIGIN}/payments/../tokens/x/captures`, `POST ${ORIGIN}/tokens/x/captures`],
    [
      'POST',
      `${ORIGIN}/payments/a%2F..%2Fb/captures`,
      `POST ${ORIGIN}/payments/a%2F..%2Fb/captures`,
    ],
    ['POST', `${ORIGIN}/payments/a%5cb/captures`, `POST ${ORIGIN}/payments/a%5cb/captures`],
    ['POST', `${ORIGIN}/payments/a%20b/captures`, `POST ${ORIGIN}/payments/a%20b/captures`],
    ['POST', `${ORIGIN}/payments/a%3Fb/captures`, `POST ${ORIGIN}/payments/a%3Fb/captures`],
    ['POST', `${ORIGIN}/payments/..;/captures`, `POST ${ORIGIN}/payments/..;/captures`],
    ['POST', `${ORIGIN}/payments/.a/captures`, `POST ${ORIGIN}/payments/.a/captures`],
    ['POST', `${ORIGIN}/payments/a%00/captures`, `POST ${ORIGIN}/payments/a%00/captures`],
  ])('%s %s is refused, with its address', (method, url, target) => {
    expect(refusalOf(method, url)).toBe(
      `egress_not_declared: No egress rule of the account allows ${target}.`,
    );
  });

  it('with another name in its query is refused without the value', () => {
    expect(refusalOf('GET', `${ORIGIN}/payments?limit=1&card=4242424242424242`)).toBe(
      `egress_not_declared: The egress rules of GET ${ORIGIN}/payments do not allow the query parameter card.`,
    );
    expect(refusalOf('POST', `${ORIGIN}/payments?limit=1`)).toContain('query parameter limit');
  });
});

describe('a placeholder', () => {
  const url = `${ORIGIN}/payments`;
  const allows = (field: string, pointer: string) =>
    `place_not_declared: The egress rules of POST ${url} do not allow ${field} at ${pointer}.`;

  it('is allowed at its place', () => {
    const credentials = { account_id: 'a', headers: {}, body: { '/login/password': 'password' } };
    const card_fields = { '/source/number': 'pan' } as const;
    expect(refusalOf('POST', url, { card_fields, credentials })).toBe('allowed');
  });

  it.each<[string, NonNullable<RuledRequest['card_fields']>, string]>([
    ['another place', { '/metadata/x': 'pan' }, allows('pan', '/metadata/x')],
    ['a place of another value', { '/source/date': 'pan' }, allows('pan', '/source/date')],
    ['an inherited name', { '/constructor': 'pan' }, allows('pan', '/constructor')],
    ['one place of two', { '/source/number': 'pan', '/note': 'cvv' }, allows('cvv', '/note')],
  ])('of a card at %s is refused', (_name, card_fields, expected) => {
    expect(refusalOf('POST', url, { card_fields })).toBe(expected);
  });

  it('of a card is refused in a message that declares none', () => {
    const card_fields = { '/source/number': 'pan' } as const;
    expect(refusalOf('POST', `${ORIGIN}/payments/p1/captures`, { card_fields })).toContain(
      'do not allow pan at /source/number',
    );
  });

  it.each<[string, unknown]>([
    ['a text', { number: 'text' }],
    ['a list', { number: ['text'] }],
    ['an object', { number: {} }],
  ])('of a card number is needed where a body has %s instead', (_name, source) => {
    const refusal = allows('a value of the server', '/source/number');
    for (const body of [{ source }, { source: [{ number: null }, source] }])
      expect(refusalOf('POST', url, { body })).toBe(refusal);
  });

  it('of a card number may be missing, and other values of the card may be those of the server', () => {
    for (const body of [{ source: { number: null, date: '12/31' } }, { source: [] }, null])
      expect(refusalOf('POST', url, { body })).toBe('allowed');
  });

  it('of a security code is needed, also if another rule of the path has none', () => {
    const [card] = rules as [EgressRule];
    const withCode = {
      ...card,
      card_fields: { ...card.card_fields, '/source/code': 'cvv' },
    } as const;
    const request = { method: 'POST', body: { source: { number: null, code: 'text' } } } as const;
    const card_fields = { '/source/number': 'pan' } as const;
    expect(
      findEgressViolation([card, withCode], { ...request, card_fields }, new URL(url))?.detail,
    ).toContain('a value of the server at /source/code');
  });

  it('of a secret at another place is refused', () => {
    const credentials = { account_id: 'a', headers: {}, body: { '/reference': 'password' } };
    expect(refusalOf('POST', url, { credentials })).toBe(allows('password', '/reference'));
  });
});

it('one of several rules for a path may allow what another does not', () => {
  const search: EgressRule = { origin: ORIGIN, method: 'GET', path: '/*', query: ['q'] };
  const plain: EgressRule = { origin: ORIGIN, method: 'GET', path: '/find' };
  const url = new URL(`${ORIGIN}/find?q=1`);
  expect(findEgressViolation([plain], { method: 'GET' }, url)).toBeDefined();
  expect(findEgressViolation([plain, search], { method: 'GET' }, url)).toBeUndefined();
});
