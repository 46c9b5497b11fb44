import { useTexts } from '../../../../i18n/use-texts.ts';
import { CodeSelect } from '../../../../parts/form/inputs/code-select.tsx';
import { FilterChip } from '../../../../parts/table/filter/filter-chip.tsx';
import { type ChipProps, CURRENCY, MAX, MIN } from './types.ts';

/** Filter by a currency. Another currency removes the amounts, which were in the old one. */
export function CurrencyChip({ search, change }: ChipProps) {
  const t = useTexts('payments');
  const value = search[CURRENCY];
  const apply = (currency: string) => change({ [CURRENCY]: currency, [MIN]: '', [MAX]: '' });
  return (
    <FilterChip label={t('currency')} value={value} onRemove={() => apply('')}>
      {(close) => (
        <CodeSelect
          type="currency"
          label={t('currency')}
          value={value ?? ''}
          onChange={(currency) => {
            if (currency === (value ?? '')) return;
            close();
            apply(currency);
          }}
          isWithin
        />
      )}
    </FilterChip>
  );
}
