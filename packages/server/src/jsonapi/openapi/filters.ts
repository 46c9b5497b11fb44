import { type FieldModel, idField, type Model, type RelationModel } from '../model.ts';
import { FILTER_VALUES_MAX, FILTERS_MAX, PATH_STEPS_MAX } from '../parse-query/limits.ts';
import { type Operator, operatorsOf } from '../parse-query/operators.ts';
import { describeOperator, valueSchema } from './filter-words.ts';
import type { OpenapiParameter, Schema } from './schema.ts';

interface NamedFilter {
  /** Owner of the component: the type, or the name of a relationship that types share. */
  readonly owner: string;
  /** The text between the first brackets. */
  readonly path: string;
  readonly definition: FieldModel['definition'];
  readonly operators: readonly Operator[];
  /** Whether operators other than equality have their own parameters. */
  readonly hasOperatorParameters: boolean;
}

/** Filters of a type with their own parameters: fields, relationships, and fields one to-one hop away. */
function namedFilters(model: Model): NamedFilter[] {
  const ownFilters = [idField, ...queryableFields(model)].map((field) =>
    fieldFilter(model.type, field.name, field, true),
  );
  const relations = [...model.relations.values()];
  return [
    ...ownFilters,
    ...relations.map((relation) => relationFilter(model, relation)),
    ...relations
      .filter(({ many }) => !many)
      .flatMap(({ name, target }) =>
        queryableFields(target).map((field) =>
          fieldFilter(`to.${target.type}`, `${name}.${field.name}`, field, false),
        ),
      ),
  ];
}

const queryableFields = ({ fields }: Model): FieldModel[] =>
  [...fields.values()].filter((field) => field.queryable);

const fieldFilter = (
  owner: string,
  path: string,
  field: FieldModel,
  hasOperatorParameters: boolean,
): NamedFilter => ({
  owner,
  path,
  definition: field.definition,
  operators: operatorsOf(field.definition.type),
  hasOperatorParameters,
});

const relationFilter = ({ type }: Model, { name }: RelationModel): NamedFilter => ({
  owner: type,
  path: name,
  definition: { type: 'uuid' },
  operators: operatorsOf('uuid'),
  hasOperatorParameters: true,
});

/** Parameters of a filter: equality, and for the type's own fields and relationships also other operators. */
function parametersOf(filter: NamedFilter): OpenapiParameter[] {
  const { path, hasOperatorParameters, operators } = filter;
  const otherOperators = hasOperatorParameters
    ? operators.filter((operator) => !EQUALITY.has(operator))
    : [];
  const equality = parameterOf(filter, `filter[${path}]`, 'eq');
  return [
    { ...equality, 'x-operators': operators },
    ...otherOperators.map((operator) =>
      parameterOf(filter, `filter[${path}][${operator}]`, operator),
    ),
  ];
}

/** Operators of the plain parameter, without an operator in brackets. */
const EQUALITY: ReadonlySet<Operator> = new Set(['eq', 'in']);

function parameterOf(
  { path, definition }: NamedFilter,
  name: string,
  operator: Operator,
): OpenapiParameter {
  const schema = valueSchema(definition, operator);
  return {
    name,
    in: 'query',
    description: describeOperator(path, operator),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema,
  };
}

/**
 * `filter[name][like]` of customers → `filter.customers.name.-like`; component names have no
 * brackets.
 */
const componentName = ({ owner }: NamedFilter, { name }: OpenapiParameter): string =>
  `filter.${owner}.${name.slice('filter['.length, -1).replace('][', '.-')}`;

/** Filter parameters of a type, by component name. */
export const filterParameters = (model: Model): Record<string, OpenapiParameter> =>
  Object.fromEntries(
    namedFilters(model).flatMap((filter) =>
      parametersOf(filter).map((parameter) => [componentName(filter, parameter), parameter]),
    ),
  );

/** Component names of a type's filter parameters. */
export const filtersOf = (model: Model): string[] => Object.keys(filterParameters(model));

/** Schema of the filters without their own parameters. */
export const filterPaths = (model: Model): Schema => ({
  description:
    'filter[a.b.c]=value follows relationships to an attribute; a to-many step asks whether any of them fits. filter[path][operator]=value compares otherwise.',
  relationships: [...model.relations.keys()],
  max_steps: PATH_STEPS_MAX,
  max_filters: FILTERS_MAX,
  max_values: FILTER_VALUES_MAX,
});
