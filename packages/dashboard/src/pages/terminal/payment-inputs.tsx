import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { MoreOptions } from './details/more-options.tsx';
import type { PaymentValues } from './payment-draft.ts';

interface Props {
  readonly form: {
    readonly values: PaymentValues;
    readonly set: (changes: Partial<PaymentValues>) => void;
  };
  /** Reference that replaces an empty one. */
  readonly reference: string;
}

const TEXT_MAX = 255;

/** Purpose and number of the payment, and the options that few people change. */
export function PaymentInputs({ form: { values, set }, reference }: Props) {
  const t = useTexts('terminal');
  const names = useNames();
  return (
    <>
      <TextInput
        label={t('description')}
        maxLength={TEXT_MAX}
        autoComplete="off"
        value={values.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <TextInput
        label={t('reference')}
        description={t('reference_hint', { reference })}
        maxLength={TEXT_MAX}
        autoComplete="off"
        value={values.reference}
        onChange={({ currentTarget }) => set({ reference: currentTarget.value })}
      />
      <MoreOptions>
        <NativeSelect
          label={t('kind')}
          value={values.kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
          data={['order', 'invoice'].map((value) => ({ value, label: names.value(value) }))}
        />
        <Checkbox
          label={t('hold')}
          description={t('hold_hint')}
          checked={values.isHeld}
          onChange={({ currentTarget }) => set({ isHeld: currentTarget.checked })}
        />
        <Checkbox
          label={t('receipt')}
          checked={values.hasReceipt}
          onChange={({ currentTarget }) => set({ hasReceipt: currentTarget.checked })}
        />
      </MoreOptions>
    </>
  );
}
