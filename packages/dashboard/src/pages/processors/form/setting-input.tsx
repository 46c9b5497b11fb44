import { Select, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { ProcessorField } from '../types.ts';
import { isYesOrNo } from '../yes-or-no.ts';
import type { AccountForm } from './use-processor-form.ts';

interface Props {
  readonly field: ProcessorField;
  readonly form: AccountForm;
}

/** Input for a setting. A setting that is "yes" or "no" is chosen by a person in their language. */
export function SettingInput({ field, form }: Props) {
  const t = useTexts('common');
  const path = `settings.${field.name}`;
  const shared = { label: field.label, description: field.help, required: field.required };
  if (!isYesOrNo(field))
    return (
      <TextInput
        {...shared}
        autoComplete="off"
        spellCheck={false}
        {...(field.example && { placeholder: field.example })}
        {...form.getInputProps(path)}
      />
    );
  return (
    <Select
      {...shared}
      data={[
        { value: 'yes', label: t('yes') },
        { value: 'no', label: t('no') },
      ]}
      clearable={!field.required}
      value={form.values.settings[field.name] || null}
      onChange={(value) => form.setFieldValue(path, value ?? '')}
      error={form.errors[path]}
    />
  );
}
