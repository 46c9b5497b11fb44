import type { Field } from '@florin/contract/resources/define-resource.ts';
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { isAmount } from '../value/currency-of.ts';
import { ChoicesInput } from './choices-input.tsx';
import { MembersInput, MetadataInput, RowsInput } from './compound-inputs.tsx';
import { currencyFor } from './form-values.ts';

export type AnyForm = UseFormReturnType<Record<string, unknown>>;

export interface FieldInputProps {
  /** Where the value is in the form: `line_items.0.name`. */
  readonly path: string;
  readonly name: string;
  readonly field: Field;
  readonly form: AnyForm;
  readonly isUpdate?: boolean;
  readonly currency?: string | undefined;
}

const LONG_TEXT = 500;

const inputTypes: Partial<Record<Field['type'], string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  date: 'date',
  timestamp: 'datetime-local',
};

/** The input of a field, of the kind that its type asks for. */
export function FieldInput(props: FieldInputProps) {
  const { field, path, form } = props;
  const shared = useShared(props);
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
      return field.values ? <ChoicesInput {...props} /> : <LinesInput {...props} />;
    case 'integer':
      return <IntegerInput {...props} />;
    default:
      return <TextualInput {...props} />;
  }
}

/** Label, explanation and problem of an input. */
function useShared({ name, field, isUpdate }: FieldInputProps) {
  const names = useNames();
  return {
    label: names.field(name),
    // An amount is typed in whole units, whatever the interface takes.
    description: isAmount(name) ? undefined : plain(field.description),
    withAsterisk: !isUpdate && field.create === 'required',
  };
}

/** Descriptions are written for documents that show `code`. */
const plain = (text: string | undefined): string | undefined => text?.replaceAll('`', '');

function TextualInput(props: FieldInputProps) {
  const { field, form, path, isUpdate } = props;
  const names = useNames();
  const shared = useShared(props);
  const input = { ...shared, ...form.getInputProps(path) };
  if (field.values) {
    const isOptional = field.create !== 'required' || isUpdate || field.default === undefined;
    const options = field.values.map((value) => ({ value, label: names.value(value) }));
    return (
      <NativeSelect
        {...input}
        data={isOptional ? [{ value: '', label: '' }, ...options] : options}
      />
    );
  }
  const { max } = field;
  if (field.type === 'string' && (max ?? 0) >= LONG_TEXT) {
    return <Textarea {...input} autosize minRows={2} maxLength={max} />;
  }
  return (
    <TextInput
      {...input}
      type={inputTypes[field.type] ?? 'text'}
      {...(max && { maxLength: max })}
    />
  );
}

function IntegerInput(props: FieldInputProps) {
  const { name, form, path } = props;
  const shared = useShared(props);
  const currency = isAmount(name)
    ? currencyFor(name, siblings(form, path), props.currency)
    : undefined;
  return (
    <TextInput
      {...shared}
      {...form.getInputProps(path)}
      inputMode={currency ? 'decimal' : 'numeric'}
      rightSection={currency}
      rightSectionWidth={currency ? 56 : undefined}
    />
  );
}

/** The values beside the one of a path, among which an amount finds its currency; those of the whole where it has none. */
function siblings(form: AnyForm, path: string): Readonly<Record<string, unknown>> {
  const parents = path.split('.').slice(0, -1);
  const near = parents.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    form.values,
  );
  const given = Object.entries((near ?? {}) as object).filter(([, value]) => value !== '');
  return { ...form.values, ...Object.fromEntries(given) };
}

function LinesInput(props: FieldInputProps) {
  const t = useTexts('records');
  const shared = useShared(props);
  const description = [shared.description, t('one_per_line')].filter(Boolean).join(' ');
  return (
    <Textarea
      {...shared}
      {...props.form.getInputProps(props.path)}
      description={description}
      autosize
      minRows={2}
    />
  );
}
