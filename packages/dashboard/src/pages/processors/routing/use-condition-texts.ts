import { decimalOf } from '@florin/contract/typed-amounts.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { amountUnitOf } from './rule-amounts.ts';
import type { Rule, RuleConditions } from './rules.ts';

/** Returns the conditions of a rule in words. */
export function useConditionTexts(): (rule: Rule) => readonly string[] {
  const t = useTexts('processors');
  const names = useNames();
  const locale = useLocale();
  const amountText = useAmountText();
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  return ({ conditions, merchant_id }) => {
    const { currencies, networks, issuer_countries, wallets, initiators } = conditions;
    const lists = [
      currencies,
      networks?.map(names.value),
      issuer_countries?.map((code) => t('issued_in', { country: countries.of(code) ?? code })),
      wallets?.map(names.value),
      initiators?.map((value) => t(value === 'merchant' ? 'by_merchant' : 'by_payer')),
    ];
    return [
      ...(merchant_id ? [t('one_merchant', { id: merchant_id.slice(-ID_SHOWN) })] : []),
      ...lists.flatMap((list) => (list?.length ? [list.join(` ${t('or')} `)] : [])),
      ...amountText(conditions),
    ];
  };
}

const ID_SHOWN = 8;

/** Amounts name the currency only where the rule has one. */
function useAmountText(): (conditions: RuleConditions) => readonly string[] {
  const t = useTexts('processors');
  const locale = useLocale();
  return ({ amount_min, amount_max, currencies = [] }) => {
    const { currency, isMixed } = amountUnitOf(currencies);
    const textOf = (cents: number) => {
      const amount = decimalOf(cents, currency, locale);
      if (isMixed) return t('amount_mixed', { amount });
      return currencies.length === 1 ? `${amount} ${currency}` : amount;
    };
    return [
      ...(amount_min === undefined ? [] : [t('from_amount', { amount: textOf(amount_min) })]),
      ...(amount_max === undefined ? [] : [t('to_amount', { amount: textOf(amount_max) })]),
    ];
  };
}
