import type { Field } from '@florin/contract/resources/define-resource.ts';
import { Checkbox, NativeSelect, ScrollArea, Stack, TextInput } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { CodeSelect, CodesSelect } from '../../form/inputs/code-select.tsx';
import { useAmountProblem } from '../../form/use-amount-problem.ts';
import { isCodeType } from '../../value/codes.ts';
import type { FilterDraft } from './use-filter-draft.ts';

interface Props {
  readonly draft: FilterDraft;
  readonly field: Field;
}

const inputTypes: Partial<Record<Field['type'], string>> = {
  integer: 'number',
  timestamp: 'datetime-local',
  date: 'date',
};

/** Input for a filter's value, by the field's type. */
export function FilterValue({ draft, field }: Props) {
  const t = useTexts('records');
  const { currency, values, setValues } = draft;
  if (field.values) return <FilterChoices draft={draft} options={field.values} />;
  if (field.type === 'boolean') return <YesOrNo draft={draft} field={field} />;
  if (currency !== undefined) return <FilterAmount {...draft} currency={currency} />;
  const label = t('filter_value');
  if (isCodeType(field.type)) {
    return (
      <CodesSelect type={field.type} label={label} values={values} onChange={setValues} isWithin />
    );
  }
  return (
    <TextInput
      label={label}
      type={inputTypes[field.type] ?? 'text'}
      value={values[0] ?? ''}
      onChange={({ currentTarget }) => setValues([currentTarget.value])}
    />
  );
}

function YesOrNo({ draft: { values, setValues } }: Props) {
  const t = useTexts('records');
  return (
    <NativeSelect
      label={t('filter_value')}
      value={values[0] ?? ''}
      onChange={({ currentTarget }) => setValues([currentTarget.value])}
      data={[
        { value: '', label: '' },
        { value: 'true', label: t('value_true') },
        { value: 'false', label: t('value_false') },
      ]}
    />
  );
}

const LIST_MAX_PX = 220;

/** Input for several values of a closed set. */
function FilterChoices({
  draft: { values, setValues },
  options,
}: {
  readonly draft: FilterDraft;
  readonly options: readonly string[];
}) {
  const t = useTexts('records');
  const names = useNames();
  return (
    <Checkbox.Group label={t('filter_values')} value={[...values]} onChange={setValues}>
      <ScrollArea.Autosize mah={LIST_MAX_PX} mt="xs" type="auto">
        <Stack gap={6}>
          {options.map((value) => (
            <Checkbox key={value} value={value} label={names.value(value)} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}

/** Input for an amount with its currency. */
function FilterAmount(draft: FilterDraft & { readonly currency: string }) {
  const { currency, values, problem } = draft;
  const t = useTexts('records');
  const names = useNames();
  const amountProblem = useAmountProblem();
  const isOfCurrency = problem === 'currency_first';
  return (
    <>
      <CodeSelect
        type="currency"
        label={names.field('amount_currency')}
        value={currency}
        onChange={draft.setCurrency}
        error={isOfCurrency && t(problem)}
        isWithin
      />
      <TextInput
        label={t('filter_value')}
        inputMode="decimal"
        value={values[0] ?? ''}
        onChange={({ currentTarget }) => draft.setValues([currentTarget.value])}
        error={problem && !isOfCurrency && amountProblem(problem, currency)}
      />
    </>
  );
}
