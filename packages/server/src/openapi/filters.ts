import { type FieldModel, idField, type Model, type RelationModel } from '../jsonapi/model.ts';
import { FILTER_HOPS_MAX, FILTER_VALUES_MAX, FILTERS_MAX } from '../jsonapi/parse-query/limits.ts';
import { type Parameter, record, type Schema } from './schema.ts';

interface NamedFilter {
  /** The part between the brackets. */
  readonly path: string;
  readonly schema: Schema;
  readonly operators: readonly string[];
}

const ORDERED = /^(?:integer|timestamp|date)$/;
const TEXT = /^(?:string|email|phone|url)$/;

/** The filters of a type that have parameters of their own: its fields, its relationships, and fields one to-one step away. */
function namedFilters(model: Model): NamedFilter[] {
  const own = [idField, ...queryable(model)].map((field) => fieldFilter(field.name, field));
  const relations = [...model.relations.values()];
  return [
    ...own,
    ...relations.map(relationFilter),
    ...relations
      .filter(({ many }) => !many)
      .flatMap(({ name, target }) =>
        queryable(target).map((field) => fieldFilter(`${name}.${field.name}`, field)),
      ),
  ];
}

const queryable = ({ fields }: Model): FieldModel[] =>
  [...fields.values()].filter((field) => field.queryable);

const fieldFilter = (path: string, { definition }: FieldModel): NamedFilter => ({
  path,
  schema: valueSchema(definition),
  operators: [
    'eq',
    'ne',
    'in',
    'null',
    ...(ORDERED.test(definition.type) ? ['gt', 'gte', 'lt', 'lte'] : []),
    ...(TEXT.test(definition.type) ? ['like'] : []),
  ],
});

const relationFilter = ({ name }: RelationModel): NamedFilter => ({
  path: name,
  schema: valueSchema({ type: 'uuid' }),
  operators: ['eq', 'ne', 'in', 'null'],
});

/** Closed sets and ids are comma lists; other values are one, whose commas are alternatives. */
function valueSchema({ type, values }: FieldModel['definition']): Schema {
  if (type === 'enum') return listOf({ type: 'string', enum: [...(values ?? []), 'null'] });
  if (type === 'uuid') return listOf({ type: 'string' });
  return type === 'integer' || type === 'boolean' ? { type } : { type: 'string' };
}

const listOf = (items: Schema): Schema => ({ type: 'array', items });

const componentName = (model: Model, path: string): string => `filter.${model.type}.${path}`;

/** The filter parameters of a type, by the names of their components. */
export const filterParameters = (model: Model): Record<string, Parameter> =>
  record(namedFilters(model), ({ path, schema, operators }) => [
    componentName(model, path),
    {
      name: `filter[${path}]`,
      in: 'query',
      description: `Records whose ${path} is one of these.`,
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
      'x-operators': operators,
    },
  ]);

/** The names of those components. */
export const filtersOf = (model: Model): string[] =>
  namedFilters(model).map(({ path }) => componentName(model, path));

/** What a list takes beyond its named parameters. */
export const filterPaths = (model: Model): Schema => ({
  description:
    'filter[a.b.c]=value follows relationships to an attribute; a to-many step asks whether any of them fits. filter[path][operator]=value compares otherwise.',
  relationships: [...model.relations.keys()],
  max_steps: FILTER_HOPS_MAX,
  max_filters: FILTERS_MAX,
  max_values: FILTER_VALUES_MAX,
});
