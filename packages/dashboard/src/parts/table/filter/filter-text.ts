import type { Resource as Definition, Field } from '@florin/contract/resources/define-resource.ts';
import type { Parameters } from '../../../api/queries.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { codeName } from '../../value/codes.ts';
import { isAmount } from '../../value/currency-of.ts';
import { useAmountText } from '../../value/money.tsx';
import { currencyAmong, currencyFieldOf, type Filter, type Operator } from './filters.ts';

const ofTimes: Partial<Record<Operator, 'op_from' | 'op_before' | 'op_after' | 'op_until'>> = {
  gte: 'op_from',
  lt: 'op_before',
  gt: 'op_after',
  lte: 'op_until',
};

/** Returns the words for an operator on a field of this type, for one value or several. */
export function useOperatorText(): (
  operator: Operator,
  field: Field | undefined,
  hasMany: boolean,
) => string {
  const t = useTexts('records');
  return (operator, field, hasMany) => {
    const time =
      field?.type === 'timestamp' || field?.type === 'date' ? ofTimes[operator] : undefined;
    if (time) return t(time);
    if (operator === 'empty') return t('op_null');
    if (operator === 'not_empty') return t('op_not_null');
    if (operator === 'in' || operator === 'eq') return t(hasMany ? 'op_in' : 'op_eq');
    return t(operator === 'ne' && hasMany ? 'op_none_of' : `op_${operator}`);
  };
}

/** Returns a filter as a sentence: `Status is failed`. */
export function useFilterText(
  { fields }: Definition,
  search: Parameters,
): (filter: Filter) => string {
  const names = useNames();
  const locale = useLocale();
  const operatorText = useOperatorText();
  const valueText = useValueText();
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });
  return ({ name, operator, values }) => {
    const field = fields[name];
    const currency = currencyAmong(search, currencyFieldOf(name, fields));
    const texts = values.map((value) => valueText({ name, field, value, currency }));
    const words = operatorText(operator, field, values.length > 1);
    return [names.field(name), words, list.format(texts)].filter(Boolean).join(' ');
  };
}

interface DescribedValue {
  readonly name: string;
  readonly field: Field | undefined;
  readonly value: string;
  readonly currency: string | undefined;
}

function useValueText(): (texts: DescribedValue) => string {
  const t = useTexts('records');
  const names = useNames();
  const locale = useLocale();
  const amountText = useAmountText();
  return ({ name, field, value, currency }) => {
    if (field?.values?.includes(value)) return names.value(value);
    if (field?.type === 'boolean') return t.find(`value_${value}`) ?? value;
    if (field?.type === 'country') return codeName('country', value, locale);
    if (field?.type === 'timestamp') return instantText(value, locale);
    // Addresses are user input, so the value may be any text.
    if (!isAmount(name) || !/^\d+$/.test(value)) return value;
    return currency && CURRENCY.test(currency)
      ? amountText(value, currency)
      : t('minor_units', { amount: value });
  };
}

const CURRENCY = /^[A-Z]{3}$/i;

function instantText(value: string, locale: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return value;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
