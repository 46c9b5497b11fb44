import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';

const WAIT_MS = 300;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Returns a customer of this merchant and mode that has the typed email address, if there is one. */
export function useSameEmail(typed: string): RecordOf<'customers'> | undefined {
  const scope = useScope();
  const can = useCan();
  const [email] = useDebouncedValue(typed.trim(), WAIT_MS);
  const spellings = [...new Set([email, email.toLowerCase()])];
  const { data } = useQuery({
    ...pageQuery(scope, 'customers', {
      'filter[email][in]': spellings.map((it) => it.replace(/[\\,]/g, '\\$&')).join(','),
      'page[size]': '1',
    }),
    enabled: EMAIL.test(email) && can('consumer.customers.read'),
  });
  const isCurrent = email === typed.trim();
  return isCurrent ? data?.data[0] : undefined;
}
