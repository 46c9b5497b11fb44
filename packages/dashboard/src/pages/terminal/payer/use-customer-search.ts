import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Parameters, pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';

const WAIT_MS = 200;
const FOUND_MAX = '10';

/**
 * Returns the customers whose name or email contains the text. An answer to an earlier text is narrowed with it, so that
 * nobody chooses a customer whom the typed text does not mean.
 */
export function containing(
  customers: readonly RecordOf<'customers'>[],
  text: string,
): readonly RecordOf<'customers'>[] {
  const part = text.toLocaleLowerCase();
  return customers.filter(({ attributes: { name, email } }) =>
    [name, email].some((value) => value?.toLocaleLowerCase().includes(part)),
  );
}

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
  const customers = [...new Map(found.map((customer) => [customer.id, customer])).values()];
  const isWaiting = results.some(({ isPending }) => isPending);
  const last = useRef<readonly RecordOf<'customers'>[]>([]);
  useEffect(() => {
    if (!isWaiting) last.current = customers;
  });
  // Choices that vanish until the answer comes would take the keyboard's selection with them.
  const shown = isWaiting ? last.current : customers;
  return text === typed.trim() && !isWaiting ? shown : containing(shown, typed.trim());
}
