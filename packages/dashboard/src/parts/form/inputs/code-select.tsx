import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import {
  type CodeChoice,
  type CodeType,
  choicesFor,
  codeName,
  codesOf,
  meantBy,
} from '../../value/codes.ts';

interface Shown {
  readonly type: CodeType;
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
  readonly maw?: number;
  /** Within a popover, which would take a click into a list outside of it as one to be closed by. */
  readonly isWithin?: boolean;
}

interface Props extends Shown {
  /** Empty as long as nothing is chosen. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** A country, currency or time zone, found by its name in the person's language or by its code. */
export function CodeSelect({ type, value, onChange, isWithin, ...shown }: Props) {
  const locale = useLocale();
  const choices = choicesWith(type, value, locale);
  const [typed, setTyped] = useState(value && codeName(type, value, locale));
  return (
    <Select
      {...shown}
      data={[...choices]}
      value={value || null}
      onChange={(code) => onChange(code ?? '')}
      {...useSearching(shown.label)}
      searchValue={typed}
      onSearchChange={setTyped}
      onBlur={() => {
        const meant = meantBy(choices, typed);
        if (meant && meant.value !== value) onChange(meant.value);
      }}
      allowDeselect={false}
      comboboxProps={{
        withinPortal: !isWithin,
        ...(shown.maw && { width: LIST_PX, position: 'bottom-start' }),
      }}
    />
  );
}

/** Names have room where the box itself has little. */
const LIST_PX = 260;

interface SeveralProps extends Shown {
  readonly values: readonly string[];
  readonly onChange: (codes: readonly string[]) => void;
}

/** Any number of countries, currencies or time zones. */
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

/** How such a box is searched and emptied. Who walks through a form by Tab does not open it. */
function useSearching(label: string) {
  const t = useTexts('records');
  return {
    searchable: true,
    filter: found,
    selectFirstOptionOnChange: true,
    openOnFocus: false,
    clearable: true,
    clearButtonProps: { 'aria-label': t('clear', { field: label }) },
    nothingFoundMessage: t('nothing_found'),
    autoComplete: 'off',
  } as const;
}

const found: OptionsFilter = ({ options, search }) => [
  ...choicesFor(options as CodeChoice[], search),
];

/** A record may have a code that no list has any more, such as an older name of a zone. */
function choicesWith(type: CodeType, value: string, locale: string) {
  const choices = codesOf(type, locale);
  const isKnown = value === '' || choices.some((it) => it.value === value);
  return isKnown ? choices : [{ value, label: value }, ...choices];
}
