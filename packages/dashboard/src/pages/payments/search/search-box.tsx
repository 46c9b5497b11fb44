import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';

interface Props {
  /** Search text; empty without a search. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** One search box for every kind of reference to a payment. */
export function SearchBox({ text, onSearch }: Props) {
  const t = useTexts('payments');
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <TextInput
            type="search"
            label={t('search')}
            description={t('search_hint')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            flex="1 1 16rem"
            maw={520}
          />
          <Button type="submit">{t('search_do')}</Button>
          {text && (
            <Button variant="default" onClick={() => onSearch('')}>
              {t('search_clear')}
            </Button>
          )}
        </Group>
      </form>
    </search>
  );
}
