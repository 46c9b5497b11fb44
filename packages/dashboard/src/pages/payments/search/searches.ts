import type { SearchHit, SearchResults } from '@florin/contract/search.ts';
import type { Parameters } from '../../../api/queries.ts';
import type { Attributes } from '../../../api/types.ts';
import { minorUnitsOf } from '../../../parts/form/amounts.ts';

/** Interpretations of a search text. */
export type SearchKind =
  | 'id'
  | 'customer'
  | 'subscription'
  | 'email'
  | 'last_four'
  | 'amount'
  | 'reference'
  | 'part';

/** A query, with a check that removes false matches. */
export interface Search {
  readonly kind: SearchKind;
  readonly filters: Parameters;
  fits(payment: Pick<Attributes<'payment_demands'>, 'amount_cents' | 'amount_currency'>): boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LAST_FOUR = /^[•*x.\s]*(\d{4})$/i;
const AMOUNT = /^[^\d,.-]{0,4}(\d[\d.,' ]*)[^\d,.-]{0,4}$/;
/** A currency per number of decimals. */
const CURRENCIES = ['JPY', 'USD', 'BHD'];

const always = () => true;
const search = (kind: SearchKind, filters: Parameters): Search => ({ kind, filters, fits: always });

/** Returns the queries for a text, most specific first. */
export function searchesOf(typed: string): readonly Search[] {
  const text = typed.trim();
  if (text === '') return [];
  if (UUID.test(text)) return byId(text.toLowerCase());
  return [
    ...byEmail(text),
    ...byLastFour(text),
    ...byAmount(text),
    search('reference', { 'filter[purchase_reference]': escapeText(text) }),
  ];
}

/**
 * Returns the queries for records that match a part of the text: payments themselves, and those of customers and
 * subscriptions.
 */
export function searchesOfHits(hits: readonly Pick<SearchHit, 'type' | 'id'>[]): readonly Search[] {
  return Object.entries(FILTERS).flatMap(([type, filter]) => {
    const ids = hits.filter((hit) => hit.type === type).map(({ id }) => id);
    return ids.length > 0 ? [search('part', { [`filter[${filter}]`]: ids.join(',') })] : [];
  });
}

const FILTERS = {
  payment_demands: 'id',
  customers: 'payer',
  payment_subscriptions: 'payment_subscription',
} as const;

/** Whether records that lead to payments may match beyond the results: too many, or the search reached its time limit. */
export function mayMatchMore({ totals, incomplete }: Omit<SearchResults, 'hits'>) {
  const types = Object.keys(FILTERS);
  return {
    isMinimum: types.some((type) => totals[type]?.is_minimum),
    isIncomplete: types.some((type) => incomplete.includes(type)),
  };
}

const byId = (id: string): Search[] => [
  search('id', { 'filter[id]': id }),
  search('customer', { 'filter[payer]': id }),
  search('subscription', { 'filter[payment_subscription]': id }),
];

/** Searches the email address as typed and in lower case. */
function byEmail(text: string): Search[] {
  if (!/^\S+@\S+$/.test(text)) return [];
  const spellings = new Set([text, text.toLowerCase()]);
  return [search('email', { 'filter[payer.email]': [...spellings].map(escapeText).join(',') })];
}

function byLastFour(text: string): Search[] {
  const digits = LAST_FOUR.exec(text)?.[1];
  return digits ? [search('last_four', { 'filter[payment_method.last_four]': digits })] : [];
}

/** Searches an amount in minor units, which depend on the currency: `20` is 2000 of USD, and 20 of JPY. */
function byAmount(text: string): Search[] {
  const number = AMOUNT.exec(text)?.[1]?.trim() ?? '';
  const candidates = CURRENCIES.map((currency) => minorUnitsOf(number, currency)).filter(
    (cents) => cents !== undefined,
  );
  if (candidates.length === 0) return [];
  return [
    {
      kind: 'amount',
      filters: { 'filter[amount_cents]': candidates.join(',') },
      fits: ({ amount_cents, amount_currency }) =>
        minorUnitsOf(number, amount_currency) === amount_cents,
    },
  ];
}

/** Escapes commas, because the interface separates values with commas. */
const escapeText = (text: string): string => text.replace(/[\\,]/g, '\\$&');
