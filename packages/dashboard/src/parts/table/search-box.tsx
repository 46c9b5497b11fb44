import { SEARCH_TEXT_MAX, SEARCH_TEXT_MIN } from '@florin/contract/search.ts';
import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';

/** Pause in typing after which the list is searched. */
const PAUSE_MS = 250;

interface Props {
  /** Search text of the address; empty without a search. */
  readonly text: string;
  readonly label: string;
  /** Names the texts that are searched. */
  readonly hint: string;
  readonly onSearch: (text: string) => void;
}

/** Search box of a list. A pause in typing searches for texts of some length, Enter for any text. */
export function SearchBox({ text, label, hint, onSearch }: Props) {
  const t = useTexts('records');
  const { typed, type, search } = useTypedSearch(text, onSearch);
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(typed.trim());
  };
  const clear = () => {
    search('');
    input.current?.focus();
  };
  const isShort = typed.trim() !== '' && typed.trim() !== text && lengthOf(typed) < SEARCH_TEXT_MIN;
  return (
    <search style={{ flex: '1 1 16rem', maxWidth: '36rem' }}>
      <form onSubmit={submit}>
        <TextInput
          ref={input}
          type="search"
          aria-label={label}
          placeholder={hint}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          maxLength={SEARCH_TEXT_MAX}
          enterKeyHint="search"
          inputWrapperOrder={['input', 'description']}
          description={isShort && t('search_short', { count: SEARCH_TEXT_MIN })}
          rightSection={typed && <CloseButton aria-label={t('search_clear')} onClick={clear} />}
        />
      </form>
    </search>
  );
}

const lengthOf = (text: string): number => [...text.trim()].length;

interface TypedSearch {
  readonly typed: string;
  type(text: string): void;
  /** Searches at once. */
  search(text: string): void;
}

/** Holds what is typed. A search that the address gets from elsewhere, such as a saved view, replaces it. */
function useTypedSearch(text: string, onSearch: (text: string) => void): TypedSearch {
  const [typed, setTyped] = useState(text);
  const ownTexts = useRef<readonly string[]>([]);
  const isSearched = (wanted: string) => wanted === (ownTexts.current.at(-1) ?? text);
  const send = (wanted: string) => {
    if (isSearched(wanted)) return;
    ownTexts.current = [...ownTexts.current, wanted];
    onSearch(wanted);
  };
  const later = useDebouncedCallback((wanted: string, path: string) => {
    // A link that was followed meanwhile leads elsewhere.
    if (location.pathname !== path) return;
    // Enter searches for short texts too, which a blank must not undo.
    if (!isSearched(wanted)) send(lengthOf(wanted) < SEARCH_TEXT_MIN ? '' : wanted);
  }, PAUSE_MS);
  useEffect(() => {
    const at = ownTexts.current.indexOf(text);
    ownTexts.current = ownTexts.current.slice(at + 1);
    if (at >= 0) return;
    later.cancel();
    setTyped(text);
  }, [text, later]);
  return {
    typed,
    type: (next) => {
      setTyped(next);
      later(next.trim(), location.pathname);
    },
    search: (wanted) => {
      later.cancel();
      if (wanted !== typed.trim()) setTyped(wanted);
      send(wanted);
    },
  };
}
