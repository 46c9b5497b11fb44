import type { RequestContext } from '../behaviour.ts';
import type { Model } from '../model.ts';
import type { View } from './view-type.ts';

/**
 * The view with null for snapshots of records that the caller may not read. Snapshots of removed types need
 * all permissions.
 */
export function withHiddenSnapshots(view: View, permissions: RequestContext['permissions']): View {
  const { snapshot } = view.model;
  if (!snapshot || permissions === 'all') return view;
  const visibleTypes = readableTypesOf(snapshot, permissions);
  const nullSnapshot = { [snapshot.column]: null };
  return {
    ...view,
    key: `${view.key} ${[...visibleTypes]}`,
    columns: [...new Set([...view.columns, snapshot.type_column])],
    write: (row, linkage) =>
      view.write(
        visibleTypes.has(row[snapshot.type_column] ?? '') ? row : { ...row, ...nullSnapshot },
        linkage,
      ),
  };
}

const readableTypesOf = (
  { readable_with }: NonNullable<Model['snapshot']>,
  permissions: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set([...readable_with].filter(([, slug]) => permissions.has(slug)).map(([scope]) => scope));
