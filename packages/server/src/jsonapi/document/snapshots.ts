import type { RequestContext } from '../behaviour.ts';
import type { Model } from '../model.ts';
import type { View } from './view-type.ts';

/**
 * The same view, in which snapshots of records that the caller may not read are null. A type that is not
 * known any more is nobody's to read, but for callers who may read everything.
 */
export function hidingSnapshots(view: View, permissions: RequestContext['permissions']): View {
  const { snapshot } = view.model;
  if (!snapshot || permissions === 'all') return view;
  const shown = shownTypes(snapshot, permissions);
  const hidden = { [snapshot.column]: null };
  return {
    ...view,
    key: `${view.key} ${[...shown]}`,
    columns: [...new Set([...view.columns, snapshot.type_column])],
    write: (row, linkage) =>
      view.write(shown.has(row[snapshot.type_column] ?? '') ? row : { ...row, ...hidden }, linkage),
  };
}

const shownTypes = (
  { readable_with }: NonNullable<Model['snapshot']>,
  permissions: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set([...readable_with].filter(([, slug]) => permissions.has(slug)).map(([scope]) => scope));
