import { describe, expect, it } from 'vitest';
import { mayMatchMore, searchesOf, searchesOfHits } from './searches.ts';

const ID = '01990000-0000-7000-8000-000000000001';
const queriesOf = (text: string) =>
  Object.fromEntries(
    searchesOf(text).map(({ kind, filters }) => [kind, Object.values(filters)[0]]),
  );

describe('a search text', () => {
  it.each([
    ['', {}],
    ['order-5', { reference: 'order-5' }],
    [' Ltd, 7 ', { reference: 'Ltd\\, 7' }],
    ['Ada@Example.com', { email: 'Ada@Example.com,ada@example.com', reference: 'Ada@Example.com' }],
    [ID.toUpperCase(), { id: ID, customer: ID, subscription: ID }],
    ['•••• 0004', { last_four: '0004', reference: '•••• 0004' }],
    ['1455', { last_four: '1455', amount: '1455,145500,1455000', reference: '1455' }],
    ['$24.99', { amount: '2499,24990', reference: '$24.99' }],
    ['24,99 €', { amount: '2499,24990', reference: '24\\,99 €' }],
  ])('%j becomes the queries %o', (text, expected) => {
    expect(queriesOf(text)).toEqual(expected);
  });

  it('finds payments by the records that match a part of it, of every type', () => {
    const hits = [
      { type: 'customers', id: 'c1' },
      { type: 'payment_demands', id: 'p1' },
      { type: 'payment_demands', id: 'p2' },
      { type: 'events', id: 'e1' },
    ];
    expect(searchesOfHits(hits).map(({ kind, filters }) => [kind, filters])).toEqual([
      ['part', { 'filter[id]': 'p1,p2' }],
      ['part', { 'filter[payer]': 'c1' }],
    ]);
  });

  it.each([
    ['as many payments as the search counts', { payment_demands: true }, [], [true, false]],
    ['as many subscriptions', { payment_subscriptions: true }, [], [true, false]],
    ['customers that were not compared in time', {}, ['customers'], [false, true]],
    [
      'links that were not compared in time',
      { payment_links: true },
      ['payment_links'],
      [false, false],
    ],
    ['few payments', { payment_demands: false }, [], [false, false]],
  ])(
    'has too many matches, or an incomplete search, by the types that lead to payments: %s',
    (_what, minimums, incomplete, expected) => {
      const totals = Object.fromEntries(
        Object.entries(minimums).map(([type, is_minimum]) => [type, { count: 1, is_minimum }]),
      );
      const { isMinimum, isIncomplete } = mayMatchMore({ totals, incomplete });
      expect([isMinimum, isIncomplete]).toEqual(expected);
    },
  );

  it("is matched as an amount in the payment's own currency only", () => {
    const amount = searchesOf('20').find(({ kind }) => kind === 'amount');
    const fits = (amount_cents: number, amount_currency: string) =>
      amount?.fits({ amount_cents, amount_currency });
    expect([fits(2000, 'USD'), fits(20, 'JPY'), fits(20_000, 'BHD')]).toEqual([true, true, true]);
    expect([fits(20, 'USD'), fits(2000, 'JPY'), fits(2000, 'BHD')]).toEqual([false, false, false]);
  });
});
