import { useQuery } from '@tanstack/react-query';
import { type FetchedPage, pageQuery } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';

const POLL_MS = 2_000;
/** Merges into one customer that are read, newest first. Earlier ones are completed. */
const READ = '10';

const isMoving = (page: FetchedPage<'customer_merges'> | undefined): boolean =>
  page?.data.some(({ attributes }) => attributes.completed_at === null) ?? false;

/** Reads the newest merges into a customer, with the merged customers. Polls while records are moved. */
export function useMergesInto(target: string) {
  const parameters = {
    'filter[target]': target,
    'filter[dry_run]': 'false',
    'page[size]': READ,
    include: 'source',
  };
  const { data } = useQuery({
    ...pageQuery(useScope(), 'customer_merges', parameters),
    enabled: useCan()('consumer.customer_merges.read'),
    refetchInterval: ({ state }) => isMoving(state.data) && POLL_MS,
  });
  return { page: data, isMoving: isMoving(data) };
}

/** Reads the merge that ended a customer, if the person may. */
export function useMergeOf(source: string) {
  const parameters = { 'filter[source]': source, 'filter[dry_run]': 'false', 'page[size]': '1' };
  const { data } = useQuery({
    ...pageQuery(useScope(), 'customer_merges', parameters),
    enabled: useCan()('consumer.customer_merges.read'),
  });
  return data?.data[0];
}
