import { paymentMethodKinds } from '@florin/contract/resources/payment-methods.ts';
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { CodeSelect } from '../../parts/form/inputs/code-select.tsx';
import { currencyAmong } from '../../parts/table/filter/filters.ts';
import { AmountFilter } from './amount-filter.tsx';
import { dayOf, fromDay, untilDay } from './days.ts';

interface Props {
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
}

const STATUS = 'filter[status]';
const METHOD = 'filter[payment_method.kind]';
const CURRENCY = 'filter[amount_currency]';
const FROM = 'filter[created_at][gte]';
const BEFORE = 'filter[created_at][lt]';
const MIN = 'filter[amount_cents][gte]';
const MAX = 'filter[amount_cents][lte]';
const ALL = [STATUS, METHOD, CURRENCY, FROM, BEFORE, MIN, MAX];

/** Currency of an amount filter if the address contains none. New amount filters require a currency. */
const USUAL_CURRENCY = 'USD';

const CURRENCY_PX = 130;

/** Whether a quick filter is set. */
export const hasQuickFilters = (search: Parameters): boolean =>
  ALL.some((key) => search[key] !== undefined);

/** Frequently used filters that need no builder. */
export function QuickFilters({ search, change }: Props) {
  const t = useTexts('payments');
  const currency = currencyAmong(search, 'amount_currency') ?? USUAL_CURRENCY;
  return (
    <Group gap="xs" align="flex-end" component="fieldset" bd={0} p={0} m={0} miw={0}>
      <Choices search={search} change={change} />
      <TextInput
        type="date"
        label={t('from')}
        value={dayOf(search[FROM])}
        onChange={({ currentTarget }) => change({ [FROM]: fromDay(currentTarget.value) })}
      />
      <TextInput
        type="date"
        label={t('until')}
        value={dayOf(search[BEFORE], -1)}
        onChange={({ currentTarget }) => change({ [BEFORE]: untilDay(currentTarget.value) })}
      />
      {([MIN, MAX] as const).map((key) => (
        <AmountFilter
          key={`${key} ${search[key] ?? ''} ${currency}`}
          label={t(key === MIN ? 'amount_min' : 'amount_max')}
          cents={search[key]}
          currency={currency}
          isDisabled={!currencyAmong(search, 'amount_currency')}
          onChange={(cents) => change({ [key]: cents })}
        />
      ))}
      {hasQuickFilters(search) && (
        <Button
          variant="subtle"
          onClick={() => change(Object.fromEntries(ALL.map((key) => [key, ''])))}
        >
          {t('filters_reset')}
        </Button>
      )}
    </Group>
  );
}

function Choices({ search, change }: Props) {
  const t = useTexts('payments');
  const names = useNames();
  const states = useRegistry().payment_demands.fields.status?.values ?? [];
  const optionsOf = (values: readonly string[]) => [
    { value: '', label: t('any') },
    ...values.map((value) => ({ value, label: names.value(value) })),
  ];
  const inputOf = (key: string) => ({
    value: search[key] ?? '',
    onChange: ({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      change({ [key]: currentTarget.value }),
  });
  return (
    <>
      <NativeSelect label={t('status')} data={optionsOf(states)} {...inputOf(STATUS)} />
      <NativeSelect label={t('method')} data={optionsOf(paymentMethodKinds)} {...inputOf(METHOD)} />
      <CodeSelect
        type="currency"
        label={t('currency')}
        maw={CURRENCY_PX}
        value={search[CURRENCY] ?? ''}
        onChange={(value) => change({ [CURRENCY]: value, [MIN]: '', [MAX]: '' })}
      />
    </>
  );
}
