import type { Field } from '@florin/contract/resources/define-resource.ts';
import { Button, Checkbox, Fieldset, Stack } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../value/icon.tsx';
import { initialValues } from '../form-values.ts';
import { CodeInput } from './code-inputs.tsx';
import { ColourInput } from './colour-input.tsx';
import { DurationInput } from './duration-input.tsx';
import { MetadataInput, rowsOf } from './metadata-input.tsx';
import { IntegerInput, StringsInput, TextualInput } from './simple-inputs.tsx';
import type { FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

/** Input that fits the type of a field. */
export function FieldInput(props: FieldInputProps) {
  const { field, path, form } = props;
  const shared = useInputProps(props);
  switch (field.type) {
    case 'boolean':
      return (
        <Checkbox
          {...form.getInputProps(path, { type: 'checkbox' })}
          label={shared.label}
          description={shared.description}
        />
      );
    case 'object':
      return <MembersInput {...props} />;
    case 'objects':
      return <RowsInput {...props} />;
    case 'metadata':
      return <MetadataInput {...props} />;
    case 'strings':
      return <StringsInput {...props} />;
    case 'country':
    case 'currency':
    case 'timezone':
      return <CodeInput {...props} />;
    case 'integer':
      return props.name.endsWith('_seconds') ? (
        <DurationInput {...props} />
      ) : (
        <IntegerInput {...props} />
      );
    default:
      return props.name.endsWith('_color') ? (
        <ColourInput {...props} />
      ) : (
        <TextualInput {...props} />
      );
  }
}

/** Florin gives a member its id. The form keeps it without an input. */
const typedMembers = ({ members = {} }: Field): [string, Field][] =>
  Object.entries(members).filter(([name]) => name !== 'id');

function MembersInput({ path, name, field, form, currency }: FieldInputProps) {
  const names = useNames();
  return (
    <Fieldset legend={names.field(name)}>
      <Stack gap="sm">
        {typedMembers(field).map(([member, definition]) => (
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

/** A list of objects with buttons to add and remove rows. */
function RowsInput(props: FieldInputProps) {
  const { path, name, field, form } = props;
  const t = useTexts('records');
  const names = useNames();
  const rows = rowsOf(props);
  const label = names.field(name);
  const rowName = (index: number) => t('row', { name: label, number: index + 1 });
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {rows.map((_row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position in the form.
          <Stack key={index} gap="xs">
            <MembersInput {...props} path={`${path}.${index}`} name={rowName(index)} />
            <Button
              variant="subtle"
              color="red"
              size="xs"
              aria-label={`${t('remove_row')}: ${rowName(index)}`}
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
          aria-label={`${t('add_row')}: ${label}`}
          onClick={() => form.insertListItem(path, initialValues(field.members ?? {}))}
        >
          {t('add_row')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
