import type { Field } from '@florin/contract/resources/define-resource.ts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { AnyAttributes } from '../../../api/types.ts';
import { useHelp } from '../../../i18n/use-help.tsx';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { currencyNameOf, isAmount } from '../../value/currency-of.ts';
import { currencyFor, valueAt } from '../form-values.ts';
import { ChoicesInput } from './choices-input.tsx';
import { CodesInput } from './code-inputs.tsx';
import { LongTextInput } from './long-text-input.tsx';
import type { AnyForm, FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

const LONG_TEXT = 500;
/** Maximum length from which people often have the text in a file. */
const FROM_FILES = 10_000;

const inputTypes: Partial<Record<Field['type'], string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  date: 'date',
  timestamp: 'datetime-local',
};

/** Input for a text, for one value of a closed set, or for a long text that may come from a file. */
export function TextualInput(props: FieldInputProps) {
  const { field, form, path, isUpdate } = props;
  const names = useNames();
  const shared = useInputProps(props);
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
  if (max && max >= FROM_FILES) return <LongTextInput {...props} max={max} />;
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

/** Input for a number. Amounts are typed in major units of their currency. */
export function IntegerInput(props: FieldInputProps) {
  const { name, field, form, path } = props;
  const help = useHelp();
  const shared = useInputProps(props);
  const values = siblingValues(form, path);
  const siblings = isAmount(name, values) ? values : undefined;
  const currency = siblings && currencyFor(name, siblings, props.currency);
  const hasCurrencyInput = siblings && currencyNameOf(name, (it) => it in siblings) !== undefined;
  return (
    <TextInput
      {...shared}
      {...(siblings && !currency && !hasCurrencyInput && { description: help(field.description) })}
      {...form.getInputProps(path)}
      inputMode={currency ? 'decimal' : 'numeric'}
      rightSection={name.endsWith('_percentage') ? '%' : currency}
      rightSectionWidth={currency ? 56 : undefined}
    />
  );
}

/** Values beside a path, where an amount finds its currency. Falls back to the values of the form. */
function siblingValues(form: AnyForm, path: string): AnyAttributes {
  const parents = path.split('.').slice(0, -1);
  const members = (valueAt(form.values, parents) ?? {}) as AnyAttributes;
  const filledEntries = Object.entries(members).filter(([, value]) => value !== '');
  return { ...members, ...form.values, ...Object.fromEntries(filledEntries) };
}

/** Input for several values of a closed set, for codes, or for free texts. */
export function StringsInput(props: FieldInputProps) {
  const { values, each } = props.field;
  if (values) return <ChoicesInput {...props} />;
  return each ? <CodesInput {...props} each={each} /> : <LinesInput {...props} />;
}

function LinesInput(props: FieldInputProps) {
  const t = useTexts('records');
  const shared = useInputProps(props);
  return (
    <Textarea
      {...shared}
      {...props.form.getInputProps(props.path)}
      description={
        <>
          {shared.description} {t('one_per_line')}
        </>
      }
      autosize
      minRows={2}
    />
  );
}
