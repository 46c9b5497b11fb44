import { resources } from '@florin/contract/resources/index.ts';
import { compileModels, type FieldModel, type Model } from '@florin/server/jsonapi/model.ts';
import { operatorsOf } from '@florin/server/jsonapi/parse-query/operators.ts';

/** Values of a record that exists, by column. */
export type SampleRow = Readonly<Record<string, unknown>>;

/** Reads a row of a type's table; undefined if there is none. */
export type ReadSample = (table: string) => Promise<SampleRow | undefined>;

const models = compileModels(resources);

/**
 * Query strings of lists of a type: each operator of each attribute, directly and over one relationship, and each sort.
 * Values are those of an existing record, and a value that no record has.
 */
export async function listQueriesOf(type: string, readSample: ReadSample): Promise<string[]> {
  const model = models.get(type);
  const sample = (await readSample(model.table)) ?? {};
  const overRelations: string[] = [];
  for (const { name, target } of model.relations.values()) {
    const targetSample = (await readSample(target.table)) ?? {};
    const filters = filtersOf(target, targetSample, `${name}.`);
    overRelations.push(...presenceOf(name), ...filters);
  }
  return [...sortsOf(model), ...filtersOf(model, sample, ''), ...overRelations];
}

const queryableFields = ({ fields }: Model): FieldModel[] =>
  [...fields.values()].filter(({ queryable }) => queryable);

const sortsOf = (model: Model): string[] =>
  queryableFields(model).flatMap(({ name }) => [`sort=${name}`, `sort=-${name}`]);

const presenceOf = (name: string): string[] =>
  ['true', 'false'].map((value) => `filter[${name}][null]=${value}`);

const filtersOf = (model: Model, sample: SampleRow, prefix: string): string[] =>
  queryableFields(model).flatMap((field) =>
    filtersOfField(field, sample, `${prefix}${field.name}`),
  );

function filtersOfField(field: FieldModel, sample: SampleRow, path: string): string[] {
  const values = [...new Set([...existingValues(field, sample), absentValue(field)])];
  return operatorsOf(field.definition.type)
    .filter((operator) => operator !== 'in')
    .flatMap((operator) => {
      const operands = operator === 'null' ? ['true', 'false'] : values;
      return operands.map((value) => `filter[${path}][${operator}]=${encodeURIComponent(value)}`);
    });
}

/** The value of the sample, and all values of an attribute that has few. */
function existingValues(
  { column, definition: { values } }: FieldModel,
  sample: SampleRow,
): string[] {
  if (values) return [...values];
  const value = sample[column];
  if (value === null || value === undefined) return [];
  return [value instanceof Date ? value.toISOString() : String(value)];
}

/** A value that no record has. */
function absentValue({ definition: { type, values } }: FieldModel): string {
  switch (type) {
    case 'integer':
      return '7654321';
    case 'boolean':
      return 'false';
    case 'timestamp':
      return '1999-12-31T00:00:00Z';
    case 'date':
      return '1999-12-31';
    case 'uuid':
      return '01935f00-0000-7000-8000-000000000000';
    case 'currency':
      return 'JPY';
    case 'country':
      return 'AUT';
    default:
      return values?.at(-1) ?? 'nothing@x.example';
  }
}
