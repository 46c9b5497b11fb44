import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../value/icon.tsx';
import { FieldInput, type FieldInputProps } from './field-input.tsx';
import { initialValues } from './form-values.ts';

/** An object: the inputs of its members. */
export function MembersInput({ path, name, field, form, currency }: FieldInputProps) {
  const names = useNames();
  return (
    <Fieldset legend={names.field(name)}>
      <Stack gap="sm">
        {Object.entries(field.members ?? {}).map(([member, definition]) => (
          <FieldInput
            key={member}
            path={`${path}.${member}`}
            name={member}
            field={definition}
            form={form}
            currency={currency}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** A list of objects, to which some can be added and from which some can be taken. */
export function RowsInput(props: FieldInputProps) {
  const { path, name, field, form } = props;
  const t = useTexts('records');
  const names = useNames();
  const rows = rowsOf(props);
  return (
    <Fieldset legend={names.field(name)}>
      <Stack gap="sm">
        {rows.map((_row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is the name of a row in the form.
          <Stack key={index} gap="xs">
            <MembersInput
              {...props}
              path={`${path}.${index}`}
              name={t('row', { name: names.field(name), number: index + 1 })}
            />
            <Button
              variant="subtle"
              color="red"
              size="xs"
              onClick={() => form.removeListItem(path, index)}
            >
              {t('remove_row')}
            </Button>
          </Stack>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => form.insertListItem(path, initialValues(field.members ?? {}))}
        >
          {t('add_row')}
        </Button>
      </Stack>
    </Fieldset>
  );
}

const rowsOf = ({ path, form }: FieldInputProps): readonly unknown[] =>
  (path
    .split('.')
    .reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | undefined)?.[key],
      form.values,
    ) ?? []) as readonly unknown[];

/** Texts of the merchant's own by names of its own. */
export function MetadataInput(props: FieldInputProps): ReactNode {
  const { path, name, form } = props;
  const t = useTexts('records');
  const names = useNames();
  const problem = form.errors[path];
  return (
    <Fieldset legend={names.field(name)}>
      <Stack gap="xs">
        {rowsOf(props).map((_row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is the name of a row in the form.
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
