import { CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';

interface Props {
  /** Search text; empty without a search. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** One search box for every kind of reference to a payment. Enter searches. */
export function SearchBox({ text, onSearch }: Props) {
  const t = useTexts('payments');
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  const clear = () => {
    setTyped('');
    if (text) onSearch('');
  };
  return (
    <search style={{ flex: '1 1 16rem', maxWidth: '36rem' }}>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          aria-label={t('search')}
          placeholder={t('search_hint')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          enterKeyHint="search"
          rightSection={typed && <CloseButton aria-label={t('search_clear')} onClick={clear} />}
        />
      </form>
    </search>
  );
}
