import { luhnOk } from '@florin/contract/card/luhn.ts';
import {
  isJsonObject,
  type JsonMembers,
  membersOf,
  textOf,
  wholeNumberOf,
} from '../stand-in/members.ts';

/** Card or network token of a payment. Only held in memory while its request runs. */
export interface CardSource {
  readonly kind: 'card' | 'network_token';
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cvv?: string;
  readonly name?: string;
  /** Cryptogram and electronic commerce indicator of a network token. */
  readonly cryptogram?: string;
  readonly eci?: string;
  readonly tokenType?: string;
  readonly addressLine1?: string;
}

/** A source with the error codes of its faults. A source with faults has a placeholder number. */
export interface ParsedSource {
  readonly source: CardSource;
  readonly faults: readonly string[];
}

const NO_SOURCE: CardSource = { kind: 'card', number: '', expiryMonth: 0, expiryYear: 0 };
const NUMBER = /^\d{12,19}$/;
const CVV = /^\d{3,4}$/;
const COUNTRY = /^[A-Z]{2}$/;
const CRYPTOGRAM_LENGTH_MAX = 50;
const TOKEN_TYPES: readonly unknown[] = ['vts', 'mdes', 'applepay', 'googlepay'];

/** Parses member `source`. Faults are error codes without values. */
export function parseSource(value: unknown): ParsedSource {
  if (!isJsonObject(value)) return { source: NO_SOURCE, faults: ['payment_source_required'] };
  switch (value.type) {
    case 'card':
      return withFaults(value, 'card', value.number, numberFaults(value.number));
    case 'network_token':
      return withFaults(value, 'network_token', value.token, tokenFaults(value));
    default:
      return { source: NO_SOURCE, faults: ['payment_source_type_invalid'] };
  }
}

function withFaults(
  members: JsonMembers,
  kind: CardSource['kind'],
  number: unknown,
  ownFaults: readonly string[],
): ParsedSource {
  const faults = [
    ...ownFaults,
    ...expiryFaults(members),
    ...(members.cvv === undefined || CVV.test(String(members.cvv)) ? [] : ['cvv_invalid']),
    ...countryFaults(membersOf(members.billing_address)),
  ];
  if (faults.length > 0) return { source: NO_SOURCE, faults };
  return { source: sourceOf(members, kind, String(number)), faults };
}

function sourceOf(members: JsonMembers, kind: CardSource['kind'], number: string): CardSource {
  const optional = {
    cvv: textOf(members.cvv),
    name: textOf(members.name),
    cryptogram: textOf(members.cryptogram),
    eci: textOf(members.eci),
    tokenType: textOf(members.token_type),
    addressLine1: textOf(membersOf(members.billing_address).address_line1),
  };
  const present = Object.entries(optional).filter(([, text]) => text !== undefined);
  return {
    kind,
    number,
    expiryMonth: wholeNumberOf(members.expiry_month) ?? 0,
    expiryYear: wholeNumberOf(members.expiry_year) ?? 0,
    ...(Object.fromEntries(present) as Partial<Record<keyof typeof optional, string>>),
  };
}

function numberFaults(number: unknown): string[] {
  if (textOf(number) === undefined) return ['card_number_required'];
  return NUMBER.test(String(number)) && luhnOk(String(number)) ? [] : ['card_number_invalid'];
}

function tokenFaults({ token, token_type, cryptogram }: JsonMembers): string[] {
  if (textOf(token) === undefined) return ['token_required'];
  const isCryptogramTooLong = (textOf(cryptogram)?.length ?? 0) > CRYPTOGRAM_LENGTH_MAX;
  return [
    ...(NUMBER.test(String(token)) && luhnOk(String(token)) ? [] : ['token_invalid']),
    ...(TOKEN_TYPES.includes(token_type) ? [] : ['token_type_invalid']),
    ...(isCryptogramTooLong ? ['cryptogram_invalid'] : []),
  ];
}

function expiryFaults({ expiry_month, expiry_year }: JsonMembers): string[] {
  const month = wholeNumberOf(expiry_month) ?? 0;
  const year = wholeNumberOf(expiry_year) ?? 0;
  return [
    ...(month >= 1 && month <= 12 ? [] : ['card_expiry_month_invalid']),
    ...(year >= 1000 && year <= 9999 ? [] : ['card_expiry_year_invalid']),
  ];
}

const countryFaults = ({ country }: JsonMembers): string[] =>
  country === undefined || COUNTRY.test(String(country)) ? [] : ['address_country_invalid'];
