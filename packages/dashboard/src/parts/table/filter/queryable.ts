import type { Field, FieldType, Resource } from '@florin/contract/resources/define-resource.ts';

const JSON_TYPES: ReadonlySet<FieldType> = new Set(['strings', 'object', 'objects', 'metadata']);

/** Whether lists can be filtered and sorted by a field. The interface refuses other fields. */
export const isQueryable = (field: Field): boolean =>
  !field.write_only &&
  !field.sensitive &&
  !field.opaque &&
  !field.shown_once &&
  !JSON_TYPES.has(field.type);

/** Fields that filter and sort a type's lists. Aliases appear once. */
export function queryableFields({ fields }: Resource): readonly (readonly [string, Field])[] {
  const columns = new Set<string>();
  return Object.entries(fields).filter(([name, field]) => {
    const column = field.column ?? name;
    const isAlias = name !== column && fields[column] !== undefined;
    if (!isQueryable(field) || isAlias || columns.has(column)) return false;
    columns.add(column);
    return true;
  });
}
