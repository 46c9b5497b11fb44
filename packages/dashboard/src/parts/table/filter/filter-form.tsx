import { Button, NativeSelect, Stack } from '@mantine/core';
import type { FormEvent } from 'react';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useOperatorText } from './filter-text.ts';
import { FilterValue } from './filter-value.tsx';
import { type Operator, takesNone } from './filters.ts';
import { queryableFields } from './queryable.ts';
import { type FilterFormProps, useFilterDraft } from './use-filter-draft.ts';

/** Form for one filter: field, operator and value. */
export function FilterForm(props: FilterFormProps) {
  const t = useTexts('records');
  const names = useNames();
  const operatorText = useOperatorText();
  const draft = useFilterDraft(props);
  const { name, operator, operators, values } = draft;
  const field = props.definition.fields[name];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.apply();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect
          label={t('filter_field')}
          value={name}
          onChange={({ currentTarget }) => draft.choose(currentTarget.value)}
          data={queryableFields(props.definition).map(([value]) => ({
            value,
            label: names.field(value),
          }))}
        />
        <NativeSelect
          label={t('filter_operator')}
          value={operator}
          onChange={({ currentTarget }) => draft.compareBy(currentTarget.value as Operator)}
          data={operators.map((value) => ({
            value,
            label: operatorText(value, field, operators[0] === 'in'),
          }))}
        />
        {field && !takesNone(operator) && <FilterValue key={name} draft={draft} field={field} />}
        <Button type="submit" disabled={values.join('') === '' && !takesNone(operator)}>
          {t('filter_apply')}
        </Button>
      </Stack>
    </form>
  );
}
