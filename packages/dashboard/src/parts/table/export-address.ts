import type { Parameters } from '../../api/queries.ts';
import type { ResourceType, Scope } from '../../api/types.ts';

/** Returns the address of a list as a file, with the list's filters and sorting. */
export function exportAddress(
  { merchant, mode }: Scope,
  type: ResourceType,
  parameters: Parameters,
): string {
  // Exports do not support `include`.
  const { include: _include, ...listed } = parameters;
  return `/dashboard/api/exports/${type}.csv?${new URLSearchParams({ ...listed, merchant, mode })}`;
}
