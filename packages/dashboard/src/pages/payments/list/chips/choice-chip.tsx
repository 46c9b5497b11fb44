import { Button, Checkbox, ScrollArea, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNames } from '../../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../../i18n/use-texts.ts';
import { FilterChip } from '../../../../parts/table/filter/filter-chip.tsx';
import type { ChipProps } from './types.ts';

interface Props extends ChipProps {
  readonly label: string;
  /** Query parameter of the filter. */
  readonly name: string;
  /** Values; several that people name alike are one option, separated by commas. */
  readonly options: readonly string[];
  /** Names a value; as elsewhere without it. */
  readonly nameOf?: (value: string) => string;
}

const LIST_MAX_PX = 240;

/** Filter by one or several of a few values. */
export function ChoiceChip({ label, name, options, nameOf, search, change }: Props) {
  const names = useNames();
  const list = new Intl.ListFormat(useLocale(), { type: 'disjunction' });
  const textOf = nameOf ?? names.value;
  const chosen = chosenOf(search[name], options);
  return (
    <FilterChip
      label={label}
      value={chosen.length === 0 ? undefined : list.format(chosen.map(textOf))}
      onRemove={() => change({ [name]: '' })}
    >
      {(close) => (
        <ChoiceForm
          label={label}
          options={options}
          textOf={textOf}
          chosen={chosen}
          onApply={(values) => {
            close();
            change({ [name]: values.join(',') });
          }}
        />
      )}
    </FilterChip>
  );
}

/** Options of an address, and its values that are no option. */
function chosenOf(text = '', options: readonly string[]): readonly string[] {
  const values = text.split(',').filter((value) => value !== '');
  const chosen = options.filter((option) => option.split(',').every((it) => values.includes(it)));
  const known = new Set(chosen.join().split(','));
  return [...chosen, ...values.filter((value) => !known.has(value))];
}

interface FormProps {
  readonly label: string;
  readonly options: readonly string[];
  readonly textOf: (value: string) => string;
  readonly chosen: readonly string[];
  readonly onApply: (values: readonly string[]) => void;
}

function ChoiceForm({ label, options, textOf, chosen, onApply }: FormProps) {
  const t = useTexts('records');
  const [values, setValues] = useState<readonly string[]>(chosen);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply(values);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Checkbox.Group label={label} value={[...values]} onChange={setValues}>
          <ScrollArea.Autosize mah={LIST_MAX_PX} mt="xs" type="auto">
            <Stack gap={6}>
              {options.map((value) => (
                <Checkbox key={value} value={value} label={textOf(value)} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Checkbox.Group>
        <Button type="submit">{t('filter_apply')}</Button>
      </Stack>
    </form>
  );
}
