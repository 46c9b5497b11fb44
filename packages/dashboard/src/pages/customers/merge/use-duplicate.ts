import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useCustomersByEmail } from '../use-customers-by-email.ts';

/** A customer who may be the same person, and the attribute that says so. */
export interface Duplicate {
  readonly customer: RecordOf<'customers'>;
  readonly by: 'email' | 'name';
}

/** The customer itself is one of the two. */
const READ = '2';

const escaped = (text: string): string => text.replace(/[\\,]/g, '\\$&');

/**
 * Returns the oldest other customer with the same email address in any case, or else with the same name, if there is
 * one.
 */
export function useDuplicate(
  { id, attributes: { email, name } }: RecordOf<'customers'>,
  { isEnabled = true, byName = true } = {},
): Duplicate | undefined {
  const scope = useScope();
  const sameEmail = useCustomersByEmail(email, { isEnabled });
  const { data: sameName } = useQuery({
    ...pageQuery(scope, 'customers', {
      'filter[name]': escaped(name ?? ''),
      'page[size]': READ,
      sort: 'created_at',
    }),
    enabled: isEnabled && byName && !!name,
  });
  const found = [
    ...sameEmail.map((customer) => ({ customer, by: 'email' as const })),
    ...(byName && name ? (sameName?.data ?? []) : []).map((customer) => ({
      customer,
      by: 'name' as const,
    })),
  ];
  return isEnabled ? found.find(({ customer }) => customer.id !== id) : undefined;
}
