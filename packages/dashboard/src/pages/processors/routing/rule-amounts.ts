import { exponentOf } from '@florin/contract/money.ts';
import { type AmountProblem, decimalOf, readAmount } from '@florin/contract/typed-amounts.ts';
import type { RuleConditions } from './rules.ts';

/** Amounts of a rule as people type them. Empty: no limit. */
export interface AmountTexts {
  readonly amount_min: string;
  readonly amount_max: string;
}
type AmountName = keyof AmountTexts;
type Amounts = Pick<RuleConditions, AmountName>;

/** Decimals with which people read the amounts of a rule. */
export interface AmountUnit {
  /** A currency with these decimals. */
  readonly currency: string;
  /** Whether the amounts have other decimals in some currencies of the rule. */
  readonly isMixed: boolean;
}

/** Most currencies have its decimals. */
const USUAL = 'EUR';

/** Rules compare minor units. Without currencies, or with different decimals, people read two decimals. */
export function amountUnitOf(currencies: readonly string[] = []): AmountUnit {
  const [currency = USUAL, ...others] = currencies;
  const hasSame = others.every((other) => exponentOf(other) === exponentOf(currency));
  return currencies.length > 0 && hasSame
    ? { currency, isMixed: false }
    : { currency: USUAL, isMixed: true };
}

/** Amounts of a rule as people type them. */
export function amountTextsOf(conditions: RuleConditions, locale?: string): AmountTexts {
  const { currency } = amountUnitOf(conditions.currencies);
  const textOf = (minor_units: number | undefined): string =>
    minor_units === undefined ? '' : decimalOf(minor_units, currency, locale);
  return { amount_min: textOf(conditions.amount_min), amount_max: textOf(conditions.amount_max) };
}

/** Amounts that can be read, in minor units, and problems of the others. */
export interface ReadAmounts {
  readonly amounts: Amounts;
  readonly problems: Readonly<Partial<Record<AmountName, AmountProblem>>>;
}

/** Reads typed amounts of a rule, with the decimals of its currencies. */
export function readRuleAmounts(
  texts: AmountTexts,
  currencies: readonly string[] | undefined,
  locale?: string,
): ReadAmounts {
  const { currency } = amountUnitOf(currencies);
  const amounts: Partial<Record<AmountName, number>> = {};
  const problems: Partial<Record<AmountName, AmountProblem>> = {};
  for (const name of ['amount_min', 'amount_max'] as const) {
    if (texts[name].trim() === '') continue;
    const read = readAmount(texts[name], currency, locale);
    if ('cents' in read) amounts[name] = read.cents;
    else problems[name] = read.problem;
  }
  return { amounts, problems };
}
