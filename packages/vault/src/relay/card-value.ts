import type { CardField } from '@florin/contract/protocol/vault.ts';
import type { CardSecrets } from './secrets.ts';

/** A value as it is filled in. Undefined: the card has none, and the member is omitted. */
export type FilledValue = string | number | undefined;

type Formatter = (card: CardSecrets) => FilledValue;

const shortYear = ({ expiry_year }: CardSecrets): string | undefined => expiry_year?.slice(-2);

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);

/** Joins the parts of a date; undefined if the card has no date. */
const joined = (first: string | undefined, second: string | undefined, between = '') =>
  first === undefined || second === undefined ? undefined : first + between + second;

const formatters: Readonly<Record<CardField, Formatter>> = {
  pan: ({ pan }) => pan,
  cvv: ({ cvv }) => cvv,
  cryptogram: ({ cryptogram }) => cryptogram,
  eci: ({ eci }) => eci,
  eci_or_05: ({ eci = '05' }) => eci,
  eci_or_07: ({ eci = '07' }) => eci,
  expiry_month: ({ expiry_month }) => expiry_month,
  expiry_year: ({ expiry_year }) => expiry_year,
  expiry_month_number: ({ expiry_month }) => numberOf(expiry_month),
  expiry_year_number: ({ expiry_year }) => numberOf(expiry_year),
  expiry_year_short: shortYear,
  expiry_mmyy: (card) => joined(card.expiry_month, shortYear(card)),
  expiry_yymm: (card) => joined(shortYear(card), card.expiry_month),
  expiry_mmyyyy: (card) => joined(card.expiry_month, card.expiry_year),
  expiry_yyyymm: (card) => joined(card.expiry_year, card.expiry_month),
  expiry_mm_slash_yy: (card) => joined(card.expiry_month, shortYear(card), '/'),
  expiry_yyyy_dash_mm: (card) => joined(card.expiry_year, card.expiry_month, '-'),
};

/** Value of a placeholder, in the form that the placeholder names. */
export const cardValueOf = (field: CardField, card: CardSecrets): FilledValue =>
  formatters[field](card);
