import { Alert } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type FetchedPage, pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';

const POLL_MS = 2_000;
/** Merges into one customer that are looked at, newest first. Earlier ones are completed. */
const READ = '10';

const isMoving = (page: FetchedPage<'customer_merges'> | undefined): boolean =>
  page?.data.some(({ attributes }) => attributes.completed_at === null) ?? false;

/** Says that figures and lists are partial while a merge moves records to this customer. Reads them again afterwards. */
export function MovingAlert({ target }: { readonly target: string }) {
  const t = useTexts('customers');
  const queries = useQueryClient();
  const parameters = { 'filter[target]': target, 'filter[dry_run]': 'false', 'page[size]': READ };
  const { data } = useQuery({
    ...pageQuery(useScope(), 'customer_merges', parameters),
    refetchInterval: ({ state }) => isMoving(state.data) && POLL_MS,
  });
  const moves = isMoving(data);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && !moves) void queries.invalidateQueries();
    moved.current = moves;
  }, [moves, queries]);
  if (!moves) return null;
  return (
    <Alert role="status" color="yellow" variant="light">
      {t('merge_partial')}
    </Alert>
  );
}
