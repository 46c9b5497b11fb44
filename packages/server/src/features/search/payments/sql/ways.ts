import { currenciesByExponent } from '@florin/contract/money.ts';
import { type PaymentSearchKind, SEARCH_TEXT_MIN } from '@florin/contract/search.ts';
import type { Parameters } from '../../../../jsonapi/filter-to-sql/parameters.ts';
import { codePoints } from '../../../../jsonapi/values/text.ts';
import type { IdRange, SearchedAmount, SearchText } from '../../search-text.ts';
import { hasKeys, matchesPatterns } from '../../sql/folded.ts';
import { CUSTOMER_TEXT } from '../../sql/names.ts';
import { SETTLED } from '../../sql/purchases.ts';
import type { Payers } from './payers.ts';

/** One way in which payments match a text. */
export interface Way {
  readonly kind: PaymentSearchKind;
  /** SQL condition: the payment `alias` matches. */
  matches(alias: string, parameters: Parameters): string;
  /** SELECTs of the ids of all payments that match; undefined if no index finds them. */
  idSelects(parameters: Parameters): readonly string[] | undefined;
}

/** Interpretations of a text for a caller. */
export interface PaymentTerms extends SearchText {
  /** Payers by name; null if they are not searched, or the caller may not read customers. */
  readonly payers: Payers | null;
}

/** Whether a text may be a part of a name or reference. A shorter one is compared with complete references. */
export const isPart = ({ whole }: SearchText): boolean => codePoints(whole) >= SEARCH_TEXT_MIN;

/** Ways of a text, of which each payment needs one. */
export function waysOf(terms: PaymentTerms): readonly Way[] {
  const { ids, last_four, amounts, payers } = terms;
  return [
    ...(ids ? [byId(ids)] : []),
    ...(payers !== null ? [byPayer(payers, terms)] : []),
    ...(last_four ? [byCard(last_four)] : []),
    ...(amounts.length > 0 ? [byAmount(amounts)] : []),
    isPart(terms) ? byPartOfReference(terms) : byReference(terms),
  ];
}

/** SQL of the payments of the scope that meet a condition. */
const selectIds = (condition: string, parameters: Parameters): string =>
  `select id from payment_demands
   where merchant_id = ${parameters.merchant()} and mode = ${parameters.mode()} and ${condition}`;

function byId({ from, to }: IdRange): Way {
  const conditionsOf = (parameters: Parameters): readonly string[] => [
    `id between ${parameters.bind(from)}::uuid and ${parameters.bind(to)}::uuid`,
    ...(from === to ? [`payment_subscription_id = ${parameters.bind(from)}::uuid`] : []),
  ];
  return {
    kind: 'id',
    matches: (alias, parameters) =>
      conditionsOf(parameters)
        .map((condition) => `${alias}.${condition}`)
        .join(' or '),
    idSelects: (parameters) =>
      conditionsOf(parameters).map((condition) => selectIds(condition, parameters)),
  };
}

function byPayer(payers: Payers, { patterns }: SearchText): Way {
  const known = (parameters: Parameters) => `${parameters.bind(payers)}::uuid[]`;
  // A scalar subquery: PostgreSQL would read all customers of the merchant for `exists`.
  const unknown = (alias: string, parameters: Parameters) =>
    `(select ${matchesPatterns(CUSTOMER_TEXT, patterns, parameters)} from customers c
      where c.merchant_id = ${parameters.merchant()} and c.id = ${alias}.payer_id)`;
  return {
    kind: 'name',
    matches: (alias, parameters) =>
      payers ? `${alias}.payer_id = any(${known(parameters)})` : unknown(alias, parameters),
    idSelects: (parameters) =>
      payers && [
        `select p.id from unnest(${known(parameters)}) payer (id), lateral (
          ${selectIds('payer_id = payer.id', parameters)} offset 0) p`,
      ],
  };
}

const byCard = (last_four: string): Way => ({
  kind: 'last_four',
  matches: (alias, parameters) =>
    `(select m.last_four from payment_methods m where m.merchant_id = ${parameters.merchant()}
      and m.id = ${alias}.payment_method_id) = ${parameters.bind(last_four)}`,
  idSelects: (parameters) => [
    `select p.id from (select id from payment_methods where merchant_id = ${parameters.merchant()}
        and mode = ${parameters.mode()} and last_four = ${parameters.bind(last_four)} offset 0) card, lateral (
        ${selectIds('payment_method_id = card.id', parameters)} offset 0) p`,
  ],
});

const UNUSUAL = [...currenciesByExponent[0], ...currenciesByExponent[3]];

function byAmount(amounts: readonly SearchedAmount[]): Way {
  const conditionOf = (prefix: string, { exponent, cents }: SearchedAmount, at: Parameters) => {
    const currencies =
      exponent === 2
        ? `<> all(${at.bind(UNUSUAL)}::text[])`
        : `= any(${at.bind(currenciesByExponent[exponent])}::text[])`;
    return `(${prefix}amount_cents = ${at.bind(cents)}::bigint and ${prefix}amount_currency ${currencies})`;
  };
  return {
    kind: 'amount',
    matches: (alias, parameters) =>
      `(${amounts.map((amount) => conditionOf(`${alias}.`, amount, parameters)).join(' or ')})`,
    idSelects: (parameters) =>
      amounts.map((amount) => selectIds(conditionOf('', amount, parameters), parameters)),
  };
}

const byReference = ({ whole }: SearchText): Way => ({
  kind: 'reference',
  matches: (alias, parameters) => `${alias}.purchase_reference = ${parameters.bind(whole)}`,
  idSelects: (parameters) => [
    selectIds(`purchase_reference = ${parameters.bind(whole)}`, parameters),
  ],
});

/** The index has payments with an outcome. Payments in flight are few. The caller adds incomplete ones. */
function byPartOfReference(text: SearchText): Way {
  const { patterns, words } = text;
  const matches = (parameters: Parameters) =>
    matchesPatterns('purchase_reference', patterns, parameters);
  return {
    kind: 'reference',
    matches: (alias, parameters) =>
      matchesPatterns(`${alias}.purchase_reference`, patterns, parameters),
    idSelects: (parameters) =>
      words.length === 0
        ? undefined
        : [
            `select id from (select merchant_id, mode, id from payment_demands
              where ${SETTLED} and ${hasKeys('purchase_reference', words, parameters)} and ${matches(parameters)}
              offset 0) found
              where merchant_id = ${parameters.merchant()} and mode = ${parameters.mode()}`,
            selectIds(`status in ('pending', 'processing') and ${matches(parameters)}`, parameters),
            ...(byReference(text).idSelects(parameters) ?? []),
          ],
  };
}
