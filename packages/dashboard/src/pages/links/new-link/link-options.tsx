import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { MoreOptions } from '../../terminal/details/more-options.tsx';
import type { NewLink } from './use-new-link.ts';

const DESCRIPTION_MAX = 1000;
const REFERENCE_MAX = 200;
const URL_MAX = 2000;

/** Inputs of a payment link that few people need. */
export function LinkOptions({ form: { values, set, errors } }: { readonly form: NewLink }) {
  const t = useTexts('links');
  return (
    <MoreOptions>
      <Textarea
        label={t('description')}
        description={t('description_hint')}
        maxLength={DESCRIPTION_MAX}
        autosize
        minRows={2}
        value={values.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        error={errors.description}
      />
      <TextInput
        label={t('reference')}
        description={t('reference_hint')}
        maxLength={REFERENCE_MAX}
        autoComplete="off"
        value={values.reference}
        onChange={({ currentTarget }) => set({ reference: currentTarget.value })}
        error={errors.reference}
      />
      <TextInput
        label={t('success_page')}
        description={t('success_page_hint')}
        type="url"
        maxLength={URL_MAX}
        autoComplete="off"
        value={values.successUrl}
        onChange={({ currentTarget }) => set({ successUrl: currentTarget.value })}
        error={errors.successUrl}
      />
      <Checkbox
        label={t('receipt')}
        checked={values.hasReceipt}
        onChange={({ currentTarget }) => set({ hasReceipt: currentTarget.checked })}
      />
    </MoreOptions>
  );
}
