import type { Resource, ResourceType } from '../../api/types.ts';
import type { Names } from '../../i18n/use-names.ts';
import type { Column } from '../../parts/table/column.ts';

/** What a part of the business shows of its records: attributes, in this order, with who the record is about before them. */
export interface Shown {
  readonly attributes: readonly string[];
  /** The relation that leads to a person, whose name comes first. */
  readonly person?: 'personal_identification';
}

/** The columns of a part; the first one leads to the record. */
export const columnsOf = <T extends ResourceType>(
  names: Names,
  { attributes, person }: Shown,
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
