import { useQueries } from '@tanstack/react-query';
import { pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';

/** A customer who may be the same person, and the attribute that says so. */
export interface Duplicate {
  readonly customer: RecordOf<'customers'>;
  readonly by: 'email' | 'name';
}

/** The customer itself is one of the two. */
const READ = '2';

const escaped = (text: string): string => text.replace(/[\\,]/g, '\\$&');

/** Returns another customer with the same email address, or else with the same name, if there is one. */
export function useDuplicate(
  { id, attributes: { email, name } }: RecordOf<'customers'>,
  isEnabled: boolean,
): Duplicate | undefined {
  const scope = useScope();
  const emails = [...new Set([email, email.toLowerCase()])].map(escaped).join(',');
  const searches = [
    { by: 'email', parameters: { 'filter[email][in]': emails } },
    ...(name ? [{ by: 'name', parameters: { 'filter[name]': escaped(name) } } as const] : []),
  ] as const;
  const results = useQueries({
    queries: searches.map(({ parameters }) => ({
      ...pageQuery(scope, 'customers', { ...parameters, 'page[size]': READ }),
      enabled: isEnabled,
    })),
  });
  const found = results.flatMap(({ data }, at) => {
    const customer = data?.data.find((other) => other.id !== id);
    return customer ? [{ customer, by: searches[at]?.by ?? 'name' }] : [];
  });
  return isEnabled ? found[0] : undefined;
}
