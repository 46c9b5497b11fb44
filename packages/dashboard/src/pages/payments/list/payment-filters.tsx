import { hasStates, type PaymentTab } from '@florin/contract/payment-tabs.ts';
import { paymentMethodKinds } from '@florin/contract/resources/payment-methods.ts';
import { useCan } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { keyOfFilter, readFilters } from '../../../parts/table/filter/filters.ts';
import type { OwnFilters } from '../../../parts/table/filter/own-filters.ts';
import { READ_CARDS } from '../payment-columns.tsx';
import { AmountChip } from './chips/amount-chip.tsx';
import { ChoiceChip } from './chips/choice-chip.tsx';
import { CurrencyChip } from './chips/currency-chip.tsx';
import { COMPARE, DateChip } from './chips/date-chip.tsx';
import { StatusChip } from './chips/status-chip.tsx';
import { type ChipProps, CURRENCY, MAX, METHOD, MIN, STATUS } from './chips/types.ts';
import { BEFORE, FROM, PRESET } from './dates.ts';

/** Query parameters of each chip. */
const chipKeys = [[STATUS], [METHOD], [CURRENCY], [MIN, MAX], [PRESET, FROM, BEFORE]] as const;
const keys: ReadonlySet<string> = new Set([...chipKeys.flat(), COMPARE]);

/** Whether the address filters the list of its tab. */
export const isFiltered = (search: ChipProps['search']): boolean =>
  Object.keys(search).some((key) => key.startsWith('filter[') || key === PRESET);

/** Number of filters of the address, as people see them: an amount has a currency and two ends. */
export const filterCountOf = (search: ChipProps['search']): number =>
  chipCountOf(search) + readFilters(search).filter((it) => !keys.has(keyOfFilter(it))).length;

const chipCountOf = (search: ChipProps['search']): number =>
  chipKeys.filter((names) => names.some((name) => search[name] !== undefined)).length;

/** The filters that staff use most, as chips. */
export const paymentFilters = (props: ChipProps & { readonly tab: PaymentTab }): OwnFilters => ({
  chips: <Chips {...props} />,
  keys,
  count: chipCountOf(props.search),
});

function Chips({ tab, ...props }: ChipProps & { readonly tab: PaymentTab }) {
  const t = useTexts('payments');
  const can = useCan();
  // A shared address may filter by card: the chip stays, so that it can be removed.
  const hasCard = can(READ_CARDS) || props.search[METHOD] !== undefined;
  return (
    <>
      <DateChip {...props} />
      {hasStates(tab) && <StatusChip {...props} />}
      <AmountChip {...props} />
      <CurrencyChip {...props} />
      {hasCard && (
        <ChoiceChip {...props} label={t('method')} name={METHOD} options={paymentMethodKinds} />
      )}
    </>
  );
}
