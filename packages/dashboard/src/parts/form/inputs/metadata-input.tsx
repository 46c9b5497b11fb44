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
  return (
    <Fieldset legend={names.field(name)}>
      <Stack gap="xs">
        {rowsOf(props).map((_row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position in the form.
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={t('metadata_name')}
              {...form.getInputProps(`${path}.${index}.name`)}
            />
            <TextInput
              label={t('metadata_value')}
              {...form.getInputProps(`${path}.${index}.value`)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={t('remove_row')}
              onClick={() => form.removeListItem(path, index)}
            >
              <Icon name="close" />
            </ActionIcon>
          </Group>
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
          onClick={() => form.insertListItem(path, { name: '', value: '' })}
        >
          {t('add_row')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
