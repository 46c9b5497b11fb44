import { MultiSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { CodesSelect } from '../../../parts/form/inputs/code-select.tsx';
import { Section } from '../../../parts/record/section.tsx';
import type { ProcessorKind, StoredSecret } from '../types.ts';
import { SecretInput } from './secret-input.tsx';
import { SettingInput } from './setting-input.tsx';
import type { AccountForm } from './use-processor-form.ts';

interface Props {
  readonly kind: ProcessorKind;
  readonly form: AccountForm;
  readonly stored?: readonly StoredSecret[];
}

const DESCRIPTOR_MAX = 25;

/** Inputs of a processor's settings and secrets, drawn from its metadata. */
export function CredentialFields({ kind, form, stored = [] }: Props) {
  const t = useTexts('processors');
  return (
    <Section title={t('credentials', { processor: kind.display_name })}>
      <Stack>
        {kind.fields
          .filter(({ secret }) => !secret)
          .map((field) => (
            <SettingInput key={field.name} field={field} form={form} />
          ))}
        <Text size="sm" c="dimmed">
          {t('secrets_text')}
        </Text>
        {kind.fields
          .filter(({ secret }) => secret)
          .map((field) => (
            <SecretInput
              key={field.name}
              field={field}
              isStored={stored.some(({ name }) => name === field.name)}
              value={form.values.secrets[field.name] ?? ''}
              onChange={(value) => form.setFieldValue(`secrets.${field.name}`, value)}
              error={form.errors[`secrets.${field.name}`]}
            />
          ))}
      </Stack>
    </Section>
  );
}

/** Inputs of the payments that the account takes. */
export function RestrictionFields({ kind, form }: Omit<Props, 'stored'>) {
  const t = useTexts('processors');
  const names = useNames();
  return (
    <Section title={t('restrictions')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('restrictions_text')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <CodesSelect
            type="currency"
            label={t('currencies')}
            values={form.values.currencies}
            onChange={(codes) => form.setFieldValue('currencies', codes)}
            error={form.errors.currencies}
          />
          <MultiSelect
            label={t('networks')}
            data={kind.networks.map((value) => ({ value, label: names.value(value) }))}
            value={[...form.values.networks]}
            onChange={(values) => form.setFieldValue('networks', values)}
            error={form.errors.networks}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('all_networks') }}
          />
        </SimpleGrid>
        <TextInput
          label={t('descriptor')}
          description={t('descriptor_help')}
          maxLength={DESCRIPTOR_MAX}
          autoComplete="off"
          {...form.getInputProps('descriptor')}
        />
      </Stack>
    </Section>
  );
}
