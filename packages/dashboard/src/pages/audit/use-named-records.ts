import { permissionSlug } from '@florin/contract/permissions.ts';
import { useQueries } from '@tanstack/react-query';
import { pageQuery } from '../../api/queries.ts';
import { isResourceType, useRegistry } from '../../api/registry.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { AnyAttributes, ResourceType } from '../../api/types.ts';
import { useRecordName } from '../../parts/record/use-record-name.ts';
import { typeOf } from './action-key.ts';

/** Types whose records have names that people know. */
const NAMED: ReadonlySet<string> = new Set<ResourceType>([
  ...(['payment_demands', 'refund_demands', 'disputes', 'payment_links'] as const),
  ...(['payment_subscriptions', 'customers', 'webhook_subscriptions', 'merchant_tokens'] as const),
]);

/** Records of a type that one request names. Addresses have a limit. */
const IDS_MAX = 100;

interface Changed {
  readonly action: string;
  readonly record_id: string | null;
}

/** Names the changed records that the person may read in the page's mode, by id. */
export function useNamedRecords(entries: readonly Changed[]): ReadonlyMap<string, string> {
  const scope = useScope();
  const registry = useRegistry();
  const can = useCan();
  const nameOf = useRecordName();
  const isNamed = (type: string): type is ResourceType =>
    NAMED.has(type) &&
    isResourceType(registry, type) &&
    can(permissionSlug(registry[type], 'read'));
  const pages = useQueries({
    queries: [...idsByType(entries)].flatMap(([type, ids]) =>
      isNamed(type) ? [pageQuery(scope, type, { 'filter[id]': ids.join(',') })] : [],
    ),
  });
  const records = pages.flatMap(({ data }) => data?.data ?? []);
  return new Map(
    records.flatMap(({ id, attributes }) => {
      const name = nameOf(attributes as AnyAttributes);
      return name ? [[id, name] as const] : [];
    }),
  );
}

function idsByType(entries: readonly Changed[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { action, record_id } of entries) {
    const type = typeOf(action);
    if (!type || !record_id) continue;
    const own = ids.get(type) ?? [];
    if (!own.includes(record_id) && own.length < IDS_MAX) ids.set(type, [...own, record_id]);
  }
  return ids;
}
