import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../value/icon.tsx';
import { valueAt } from '../form-values.ts';
import type { FieldInputProps } from './types.ts';

export const rowsOf = ({ path, form }: FieldInputProps): readonly unknown[] =>
  (valueAt(form.values, path.split('.')) ?? []) as readonly unknown[];

/** Input for metadata: names and values that the merchant defines. */
export function MetadataInput(props: FieldInputProps): ReactNode {
  const { path, name, form } = props;
  const t = useTexts('records');
  const names = useNames();
  const problem = form.errors[path];
  const label = names.field(name);
  return (
    <Fieldset legend={label}>
      <Stack gap="xs">
        {rowsOf(props).map((_row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position in the form.
          <MetadataRow key={index} {...props} index={index} />
        ))}
        {problem && (
          <Text c="var(--mantine-color-error)" size="sm">
            {problem}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          aria-label={`${t('add_row')}: ${label}`}
          onClick={() => form.insertListItem(path, { name: '', value: '' })}
        >
          {t('add_row')}
        </Button>
      </Stack>
    </Fieldset>
  );
}

function MetadataRow({ path, name, form, index }: FieldInputProps & { readonly index: number }) {
  const t = useTexts('records');
  const names = useNames();
  const row = t('row', { name: names.field(name), number: index + 1 });
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" role="group" aria-label={row}>
      <TextInput label={t('metadata_name')} {...form.getInputProps(`${path}.${index}.name`)} />
      <TextInput label={t('metadata_value')} {...form.getInputProps(`${path}.${index}.value`)} />
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={`${t('remove_row')}: ${row}`}
        onClick={() => form.removeListItem(path, index)}
      >
        <Icon name="close" />
      </ActionIcon>
    </Group>
  );
}
