import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { type Parameters, pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';

const WAIT_MS = 200;
const FOUND_MAX = '10';

/** Returns the customers whose name or email contains the text, or the newest ones without a text. */
export function useCustomerSearch(typed: string): readonly RecordOf<'customers'>[] {
  const scope = useScope();
  const [text] = useDebouncedValue(typed.trim(), WAIT_MS);
  const part = text.replace(/[\\,]/g, '\\$&');
  const searches: readonly Parameters[] = text
    ? [{ 'filter[name][like]': part }, { 'filter[email][like]': part }]
    : [{}];
  const results = useQueries({
    queries: searches.map((search) =>
      pageQuery(scope, 'customers', { ...search, 'page[size]': FOUND_MAX }),
    ),
  });
  const found = results.flatMap(({ data }) => data?.data ?? []);
  return [...new Map(found.map((customer) => [customer.id, customer])).values()];
}
