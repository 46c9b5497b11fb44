import type { Resource as Definition, Field } from '@florin/contract/resources/define-resource.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import type { Filter, Operator } from './filters.ts';

const ofTimes: Partial<Record<Operator, 'op_from' | 'op_before' | 'op_after' | 'op_until'>> = {
  gte: 'op_from',
  lt: 'op_before',
  gt: 'op_after',
  lte: 'op_until',
};

/** The words for a comparison with a field of this type. */
export function useOperatorText(): (operator: Operator, field: Field | undefined) => string {
  const t = useTexts('records');
  return (operator, field) => {
    const time =
      field?.type === 'timestamp' || field?.type === 'date' ? ofTimes[operator] : undefined;
    if (time) return t(time);
    if (operator === 'empty') return t('op_null');
    return operator === 'not_empty' ? t('op_not_null') : t(`op_${operator}`);
  };
}

/** A filter as a sentence: `Status is failed`. */
export function useFilterText({ fields }: Definition): (filter: Filter) => string {
  const names = useNames();
  const operatorText = useOperatorText();
  return ({ name, operator, value }) => {
    const field = fields[name];
    const known = field?.values?.includes(value) ? names.value(value) : value;
    return [names.field(name), operatorText(operator, field), known].filter(Boolean).join(' ');
  };
}
