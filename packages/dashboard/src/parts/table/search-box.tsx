import { CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';

interface Props {
  /** Search text; empty without a search. */
  readonly text: string;
  readonly label: string;
  /** Names the texts that are searched. */
  readonly hint: string;
  readonly onSearch: (text: string) => void;
}

/** Search box of a list. Enter searches. */
export function SearchBox({ text, label, hint, onSearch }: Props) {
  const t = useTexts('records');
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
          aria-label={label}
          placeholder={hint}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          enterKeyHint="search"
          rightSection={typed && <CloseButton aria-label={t('search_clear')} onClick={clear} />}
        />
      </form>
    </search>
  );
}
