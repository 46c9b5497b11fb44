import { problem } from '@florin/contract/errors.ts';
import type { Model, Models } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { listOf, type Parameter, withoutIndex } from './parameters.ts';

/** Requested fields per type. Repeated parameters of a type are merged. */
export function parseFields(
  models: Models,
  parameters: readonly Parameter[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  for (const parameter of parameters) {
    if (parameter.brackets.length === 0 && parameter.value === '') continue;
    const model = typeOf(models, parameter);
    const names = fields.get(model.type) ?? new Set();
    for (const name of listOf(parameter.value)) names.add(checkFieldName(model, name, parameter));
    fields.set(model.type, names);
  }
  return fields;
}

function typeOf(models: Models, { name, brackets }: Parameter): Model {
  const [type = '', ...extraBrackets] = withoutIndex(brackets).brackets;
  const model = models.find(type);
  if (model && extraBrackets.length === 0) return model;
  const types = models.all.map(({ type: knownType }) => knownType);
  throw problem(
    'invalid_fields',
    `Write fields[TYPE]: ${unknownName('the interface', 'type', type, types)}`,
    { parameter: name },
  );
}

function checkFieldName(model: Model, name: string, parameter: Parameter): string {
  if (model.fields.get(name)?.readable || model.relations.has(name)) return name;
  throw problem('invalid_fields', unknownName(model.type, 'field', name, readableNames(model)), {
    parameter: parameter.name,
  });
}

const readableNames = (model: Model): string[] => [
  ...[...model.fields.values()].filter(({ readable }) => readable).map(({ name }) => name),
  ...model.relations.keys(),
];
