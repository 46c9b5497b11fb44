import type { ReactNode } from 'react';
import type { RecordOf, Resource, ResourceType } from '../../api/types.ts';

/** Returns the included record in a relation of a row, or at the end of a path such as `payment_demand.payer`. */
export type RelatedRecord = (path: string) => Resource | undefined;

export interface Column<T extends ResourceType = ResourceType> {
  readonly key: string;
  readonly title: string;
  /** Sort name of the interface. Without it the column cannot be sorted. */
  readonly sort?: string;
  /** Whether long texts are cut before the table becomes wider than the window. */
  readonly isCut?: boolean;
  /** Aligns the cells to the end. */
  readonly numeric?: boolean;
  readonly cell: (record: RecordOf<T>, related: RelatedRecord) => ReactNode;
}

/** Finds included records for the rows of a page. */
export function relatedOf(
  record: Resource,
  included: ReadonlyMap<string, Resource>,
): RelatedRecord {
  const next = (from: Resource | undefined, relation: string): Resource | undefined => {
    const data = from?.relationships?.[relation]?.data;
    if (!data || !('id' in data)) return undefined;
    return included.get(`${data.type} ${data.id}`);
  };
  return (path) => path.split('.').reduce(next, record);
}

export const includedByKey = (included: readonly Resource[]): ReadonlyMap<string, Resource> =>
  new Map(included.map((it) => [`${it.type} ${it.id}`, it]));
