import type { Resource, ResourceType } from '../../api/types.ts';
import type { Names } from '../../i18n/use-names.ts';
import type { Column } from '../../parts/table/column.ts';

/** Attributes that a section lists in this order. The person's name comes first if the record has a person. */
export interface SectionAttributes {
  readonly attributes: readonly string[];
  /** Relation to a person whose name is the first column. */
  readonly person?: 'personal_identification';
}

/** Columns of a section. The first column links to the record. */
export const columnsOf = <T extends ResourceType>(
  names: Names,
  { attributes, person }: SectionAttributes,
): readonly Column<T>[] => [
  ...(person ? [personColumn<T>(names, person)] : []),
  ...attributes.map((name) => ({
    key: name,
    title: names.field(name),
    cell: (record: Resource) => textOf(names, record.attributes[name]),
  })),
];

const personColumn = <T extends ResourceType>(names: Names, relation: string): Column<T> => ({
  key: relation,
  title: names.field('name'),
  cell: (_record, related) => textOf(names, related(relation)?.attributes.full_name),
});

function textOf(names: Names, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return names.value(value ? 'yes' : 'no');
  return /^[a-z_]+$/.test(String(value)) ? names.value(String(value)) : String(value);
}
