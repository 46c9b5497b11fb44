import type { RequestContext, WriteInput } from './behaviour.ts';
import type { Model } from './model.ts';
import { isSameValue } from './read-only.ts';
import type { Reader } from './reading/read.ts';

interface UpdatedType {
  readonly model: Model;
  readonly reader: Reader;
}

/**
 * Decides between different values under the old and the new name of an attribute. If the new name has the record's
 * value, the client changed the old name: that value is written.
 */
export async function withChangedNames(
  { model, reader }: UpdatedType,
  ctx: RequestContext,
  id: string,
  input: WriteInput,
): Promise<WriteInput> {
  const { old_values, ...otherInput } = input;
  if (!old_values) return input;
  const names = Object.keys(old_values);
  const { body } = await reader.fetchRecord(ctx, model, id, `fields[${model.type}]=${names}`);
  const shownAttributes = JSON.parse(body.toString()).data.attributes;
  const unchangedNames = names.filter((name) =>
    isSameValue(model.fields.get(name), input.attributes[name], shownAttributes[name]),
  );
  return unchangedNames.reduce(
    (changedInput, name) => withOldValue(changedInput, model, name, old_values[name]),
    otherInput,
  );
}

/** Writes `value` for the attribute, and makes its sent value one that the record must have. */
function withOldValue(input: WriteInput, model: Model, name: string, value: unknown): WriteInput {
  const { attributes, read_only } = input;
  const readOnlyAttributes = Object.entries(read_only?.attributes ?? {}).filter(
    ([readOnlyName]) => model.fields.get(readOnlyName)?.definition.deprecated_for !== name,
  );
  return {
    ...input,
    attributes: { ...attributes, [name]: value },
    read_only: {
      attributes: { ...Object.fromEntries(readOnlyAttributes), [name]: attributes[name] },
      relationships: read_only?.relationships ?? {},
    },
  };
}
