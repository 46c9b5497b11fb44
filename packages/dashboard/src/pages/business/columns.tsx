import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import type { Resource, ResourceType } from '../../api/types.ts';
import type { Names } from '../../i18n/use-names.ts';
import type { Column } from '../../parts/table/column.ts';
import { FieldValue } from '../../parts/value/field-value.tsx';

/** Attributes that a section lists in this order. The person's name comes first if the record has a person. */
export interface SectionAttributes {
  readonly attributes: readonly string[];
  /** Relation to a person whose name is the first column. */
  readonly person?: 'personal_identification';
}

/** Columns of a section. The first column links to the record. */
export const columnsOf = <T extends ResourceType>(
  names: Names,
  { fields }: Definition,
  { attributes, person }: SectionAttributes,
): readonly Column<T>[] => [
  ...(person ? [personColumn<T>(names, person)] : []),
  ...attributes.map((name) => ({
    key: name,
    title: names.field(name),
    cell: (record: Resource) => (
      <FieldValue
        name={name}
        field={fields[name] ?? { type: 'string' }}
        value={record.attributes[name]}
        attributes={record.attributes}
        compact
      />
    ),
  })),
];

const personColumn = <T extends ResourceType>(names: Names, relation: string): Column<T> => ({
  key: relation,
  title: names.field('name'),
  cell: (_record, related) => String(related(relation)?.attributes.full_name ?? '–'),
});
