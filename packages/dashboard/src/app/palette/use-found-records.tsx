import { SEARCH_TEXT_MAX, SEARCH_TEXT_MIN } from '@florin/contract/search.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMaybeScope } from '../../api/scope.ts';
import { searchQuery } from '../../api/search.ts';
import type { PaletteGroup } from './item.ts';
import { useHitGroups } from './use-hit-groups.tsx';

/** Pause in typing after which the server searches. After a pause, the next text is searched immediately. */
const PAUSE_MS = 100;

export interface FoundRecords {
  readonly groups: readonly PaletteGroup[];
  /** Whether results of the text are still to come. */
  readonly isPending: boolean;
  /** Whether more records may match than the server could compare in time. */
  readonly isIncomplete: boolean;
  readonly error: unknown;
}

/** Searches records of the merchant and mode. A new text cancels the search of the text before. */
export function useFoundRecords(typed: string): FoundRecords {
  const scope = useMaybeScope();
  const text = typed.trim().slice(0, SEARCH_TEXT_MAX);
  const [searched] = useDebouncedValue(text, PAUSE_MS, { leading: true });
  const isSearched = scope !== undefined && text.length >= SEARCH_TEXT_MIN;
  const { data, error, isPlaceholderData, isFetching } = useQuery(
    searchQuery(isSearched ? scope : undefined, searched),
  );
  const groupsOf = useHitGroups();
  if (!isSearched) return { groups: [], isPending: false, isIncomplete: false, error: undefined };
  return {
    groups: data && !error ? groupsOf(data, searched) : [],
    isPending: searched !== text || isPlaceholderData || (isFetching && !data),
    isIncomplete: (data?.incomplete.length ?? 0) > 0,
    error: searched === text ? error : undefined,
  };
}
