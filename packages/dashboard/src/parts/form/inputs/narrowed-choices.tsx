import { Checkbox, ScrollArea, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

interface Props {
  readonly choices: readonly Choice[];
  readonly height: number;
}

/** Choices above which a list gets a search box. */
const SEEN_MAX = 12;

/** Checkboxes within a `Checkbox.Group`, with a search box for long lists. */
export function NarrowedChoices({ choices, height }: Props) {
  const t = useTexts('records');
  const [typed, setTyped] = useState('');
  const searchText = typed.trim().toLowerCase();
  const shownChoices = choices.filter(({ value, label, description = '' }) =>
    `${value} ${label} ${description}`.toLowerCase().includes(searchText),
  );
  return (
    <>
      {choices.length > SEEN_MAX && (
        <TextInput
          size="xs"
          mt="xs"
          type="search"
          aria-label={t('narrow')}
          placeholder={t('narrow')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={height} mt="xs">
        <Stack gap={6}>
          {shownChoices.map((choice) => (
            <Checkbox key={choice.value} {...choice} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </>
  );
}
