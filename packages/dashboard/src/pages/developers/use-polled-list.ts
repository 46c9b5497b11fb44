import { useQuery } from '@tanstack/react-query';
import { callInterface } from '../../api/client.ts';
import { addressOf, keyOf, type Parameters } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { Document, RecordOf, ResourceType } from '../../api/types.ts';

const POLL_MS = 1_000;

/** Reads the first page of a list, and refreshes it every second while one of its records is in progress. */
export function usePolledList<T extends ResourceType>(
  type: T,
  parameters: Parameters,
  isBusy: (record: RecordOf<T>) => boolean,
) {
  const scope = useScope();
  return useQuery({
    queryKey: keyOf(scope, type, 'polled', parameters),
    queryFn: async ({ signal }) => {
      const path = addressOf(type, parameters);
      const { document } = await callInterface<Document<readonly RecordOf<T>[]>>(scope, path, {
        signal,
      });
      return document.data;
    },
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? POLL_MS : false),
  });
}
