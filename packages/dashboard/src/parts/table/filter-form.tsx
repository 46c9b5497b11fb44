import type { Resource as Definition, Field } from '@florin/contract/resources/define-resource.ts';
import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useOperatorText } from './filter-text.ts';
import { type Filter, type Operator, operatorsOf } from './filters.ts';
import { queryableFields } from './queryable.ts';

interface Props {
  readonly definition: Definition;
  readonly onApply: (filter: Filter) => void;
}

/** Puts together one filter: a field, a comparison, a value. */
export function FilterForm({ definition, onApply }: Props) {
  const t = useTexts('records');
  const names = useNames();
  const operatorText = useOperatorText();
  const fields = queryableFields(definition);
  const [name, setName] = useState(fields[0]?.[0] ?? '');
  const field = definition.fields[name];
  const operators = field ? operatorsOf(field) : [];
  const [chosen, setOperator] = useState<Operator>();
  const operator = operators.find((it) => it === chosen) ?? operators[0] ?? 'eq';
  const [value, setValue] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply({ name, operator, value: asSent(field, value) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect
          label={t('filter_field')}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setValue('');
          }}
          data={fields.map(([it]) => ({ value: it, label: names.field(it) }))}
        />
        <NativeSelect
          label={t('filter_operator')}
          value={operator}
          onChange={({ currentTarget }) => setOperator(currentTarget.value as Operator)}
          data={operators.map((it) => ({ value: it, label: operatorText(it, field) }))}
        />
        {field && !operator.endsWith('empty') && (
          <FilterValue field={field} value={value} onChange={setValue} />
        )}
        <Button type="submit" disabled={value === '' && !operator.endsWith('empty')}>
          {t('filter_apply')}
        </Button>
      </Stack>
    </form>
  );
}

/** Times are typed in the person's own zone. */
const asSent = (field: Field | undefined, value: string): string =>
  field?.type === 'timestamp' && value !== '' ? new Date(value).toISOString() : value;

interface ValueProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const inputTypes: Partial<Record<Field['type'], string>> = {
  integer: 'number',
  timestamp: 'datetime-local',
  date: 'date',
};

function FilterValue({ field, value, onChange }: ValueProps) {
  const t = useTexts('records');
  const names = useNames();
  const values = field.type === 'boolean' ? ['true', 'false'] : field.values;
  const label = t('filter_value');
  if (values) {
    const options = values.map((it) => ({
      value: it,
      label: t.find(`value_${it}`) ?? names.value(it),
    }));
    return (
      <NativeSelect
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={[{ value: '', label: '' }, ...options]}
      />
    );
  }
  return (
    <TextInput
      label={label}
      type={inputTypes[field.type] ?? 'text'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
