import { paymentMethodKinds } from '@florin/contract/resources/payment-methods.ts';
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
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

/** In which amounts of an address without a currency are shown. New ones wait for a currency. */
const USUAL_CURRENCY = 'USD';

/** Whether any of these is set. */
export const hasQuickFilters = (search: Parameters): boolean =>
  ALL.some((key) => search[key] !== undefined);

/** The filters that people use every day, without that they put them together. */
export function QuickFilters({ search, change }: Props) {
  const t = useTexts('payments');
  const currency = search[CURRENCY] ?? USUAL_CURRENCY;
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
          isDisabled={!search[CURRENCY]}
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
  const named = (values: readonly string[]) => [
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
      <NativeSelect label={t('status')} data={named(states)} {...inputOf(STATUS)} />
      <NativeSelect label={t('method')} data={named(paymentMethodKinds)} {...inputOf(METHOD)} />
      <CurrencyFilter
        value={search[CURRENCY] ?? ''}
        onChange={(value) => change({ [CURRENCY]: value, [MIN]: '', [MAX]: '' })}
      />
    </>
  );
}

interface CurrencyProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const CURRENCY_CODE = /^[A-Z]{3}$/;

/** Three letters; set as soon as they are typed. */
function CurrencyFilter({ value, onChange }: CurrencyProps) {
  const t = useTexts('payments');
  return (
    <TextInput
      key={value}
      label={t('currency')}
      defaultValue={value}
      maxLength={3}
      w={90}
      onChange={({ currentTarget }) => {
        const code = currentTarget.value.toUpperCase();
        if (code === '' || CURRENCY_CODE.test(code)) onChange(code);
      }}
    />
  );
}
