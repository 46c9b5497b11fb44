import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Parameters } from '../../api/queries.ts';

/**
 * Returns the query parameters of the address and a setter, which replaces the entry of the browser's history. Empty
 * values are removed.
 */
export function useAddressSearch(): [Parameters, (changes: Parameters) => void] {
  const search = useSearch({ strict: false }) as Parameters;
  const navigate = useNavigate();
  const changeSearch = (changes: Parameters) => {
    // Reads the address at that time: another change may not be rendered yet.
    const next = (current: Parameters) =>
      Object.fromEntries(
        Object.entries({ ...current, ...changes }).filter(([, value]) => value !== ''),
      );
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return [search, changeSearch];
}

/** Returns a parameter of the page's path, such as `id` of `payments/$id`. */
export const useParameter = (name: string): string =>
  (useParams({ strict: false }) as Readonly<Record<string, string>>)[name] ?? '';
