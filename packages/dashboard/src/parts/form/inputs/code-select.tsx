import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import {
  type CodeChoice,
  type CodeType,
  choiceOf,
  choicesFor,
  codeName,
  codesOf,
} from '../../value/codes.ts';

interface SelectProps {
  readonly type: CodeType;
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
  readonly maw?: number;
  /** Whether the list renders inside the select. Needed within a popover, which closes on clicks elsewhere. */
  readonly isWithin?: boolean;
}

interface Props extends SelectProps {
  /** Selected code; empty without a selection. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/**
 * Selects a country, currency or time zone by localised name or code. A closed list has only the selected code: Mantine
 * renders the options of closed lists, too.
 */
export function CodeSelect({ type, value, onChange, isWithin, ...shown }: Props) {
  const locale = useLocale();
  const choices = choicesWith(type, value, locale);
  const [typed, setTyped] = useState(value && codeName(type, value, locale));
  const [isOpen, setOpen] = useState(false);
  return (
    <Select
      {...shown}
      data={choices.filter((choice) => isOpen || choice.value === value)}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      value={value || null}
      onChange={(code) => onChange(code ?? '')}
      {...useSearching(shown.label)}
      searchValue={typed}
      onSearchChange={setTyped}
      onBlur={() => {
        const choice = choiceOf(choices, typed);
        if (choice && choice.value !== value) onChange(choice.value);
      }}
      allowDeselect={false}
      comboboxProps={{
        withinPortal: !isWithin,
        ...(shown.maw && { width: LIST_PX, position: 'bottom-start' }),
      }}
    />
  );
}

/** Minimum width of the list in pixels, so that names fit when the box is narrow. */
const LIST_PX = 260;

interface SeveralProps extends SelectProps {
  readonly values: readonly string[];
  readonly onChange: (codes: readonly string[]) => void;
}

/** Selects several countries, currencies or time zones. */
export function CodesSelect({ type, values, onChange, isWithin, ...shown }: SeveralProps) {
  const locale = useLocale();
  return (
    <MultiSelect
      {...shown}
      data={[...codesOf(type, locale)]}
      value={[...values]}
      onChange={onChange}
      {...useSearching(shown.label)}
      comboboxProps={{ withinPortal: !isWithin }}
    />
  );
}

/** Search state of a box. Moving through a form with Tab does not open the list. */
function useSearching(label: string) {
  const t = useTexts('records');
  return {
    searchable: true,
    filter: matchingChoices,
    selectFirstOptionOnChange: true,
    openOnFocus: false,
    clearable: true,
    clearButtonProps: { 'aria-label': t('clear', { field: label }) },
    nothingFoundMessage: t('nothing_found'),
    autoComplete: 'off',
  } as const;
}

const matchingChoices: OptionsFilter = ({ options, search }) => [
  ...choicesFor(options as CodeChoice[], search),
];

/** Returns the choices with the record's current value, which may be a withdrawn code, such as an old zone name. */
function choicesWith(type: CodeType, value: string, locale: string) {
  const choices = codesOf(type, locale);
  const isKnown = value === '' || choices.some((it) => it.value === value);
  return isKnown ? choices : [{ value, label: value }, ...choices];
}
