import type { ReactNode } from 'react';
import type { RecordOf, Resource, ResourceType } from '../../api/types.ts';

/** Finds the record that a relation of a row leads to, among those that the list includes. */
export type Related = (relation: string) => Resource | undefined;

/** A column of a table of records. */
export interface Column<T extends ResourceType = ResourceType> {
  readonly key: string;
  readonly title: string;
  /** The name by which the interface sorts; without it the column cannot be sorted by. */
  readonly sort?: string;
  /** Numbers stand at the end of their cells. */
  readonly numeric?: boolean;
  readonly cell: (record: RecordOf<T>, related: Related) => ReactNode;
}

/** Finds included records for the rows of a page. */
export function relatedOf(record: Resource, included: ReadonlyMap<string, Resource>): Related {
  return (relation) => {
    const data = record.relationships?.[relation]?.data;
    if (!data || !('id' in data)) return undefined;
    return included.get(`${data.type} ${data.id}`);
  };
}

export const includedByKey = (included: readonly Resource[]): ReadonlyMap<string, Resource> =>
  new Map(included.map((it) => [`${it.type} ${it.id}`, it]));
