import { Fieldset, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { CodeSelect } from '../../../parts/form/inputs/code-select.tsx';
import { addressText } from '../../../parts/value/address-text.ts';
import { NEW, needsState, type PayerField } from './payer-values.ts';
import type { PayerInputProps } from './types.ts';
import type { Payer } from './use-payer.ts';

interface Props extends PayerInputProps {
  readonly addresses: Payer['addresses'];
}

/** The customer's addresses as streets, or the inputs of another one. */
export function AddressInput(props: Props) {
  const { values, set, addresses } = props;
  const t = useTexts('terminal');
  const locale = useLocale();
  if (addresses.length === 0) return <AddressFields {...props} />;
  return (
    <Stack>
      <Radio.Group
        label={t('address')}
        value={values.address}
        onChange={(address) => set({ address })}
      >
        <Stack gap="xs" mt={6}>
          {addresses.map((address) => (
            <Radio key={address.id} value={address.id} label={addressText(address, locale)} />
          ))}
          <Radio value={NEW} label={t('address_other')} />
        </Stack>
      </Radio.Group>
      {values.address === NEW && <AddressFields {...props} />}
    </Stack>
  );
}

const TEXT_MAX = 200;

interface FieldsProps extends PayerInputProps {
  /** Title of the group. Default: billing address. */
  readonly legend?: string;
  /** Whether the address may stay empty: no part is marked as required. */
  readonly isOptional?: boolean;
}

/** The parts of an address. */
export function AddressFields({ values, set, errors, legend, isOptional = false }: FieldsProps) {
  const t = useTexts('terminal');
  const field = (name: PayerField & keyof typeof widths, isRequired = true) => (
    <TextInput
      label={t(name)}
      required={isRequired && !isOptional}
      maxLength={TEXT_MAX}
      autoComplete="off"
      value={values[name]}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      error={errors[name]}
      flex={widths[name]}
    />
  );
  return (
    <Fieldset legend={legend ?? t('address')}>
      <Stack gap="sm">
        {field('line_1')}
        {field('line_2', false)}
        <Group align="flex-start">
          {field('zip')}
          {field('city')}
        </Group>
        <Group align="flex-start">
          {field('state', needsState(values.country))}
          <div style={COUNTRY_STYLE}>
            <CodeSelect
              type="country"
              label={t('country')}
              withAsterisk={!isOptional}
              value={values.country}
              onChange={(country) => set({ country })}
              error={errors.country}
            />
          </div>
        </Group>
      </Stack>
    </Fieldset>
  );
}

const COUNTRY_STYLE = { flex: '1 1 12rem' };

const widths = {
  line_1: '1 1 100%',
  line_2: '1 1 100%',
  zip: '1 1 7rem',
  city: '3 1 12rem',
  state: '1 1 12rem',
} as const;
