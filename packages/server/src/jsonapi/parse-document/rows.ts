import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { WriteInput } from '../behaviour.ts';
import { encode } from '../document/encode.ts';
import { type FieldModel, isJson, type Model } from '../model.ts';

/** Values of a new row that the server chooses. */
interface ServerValues {
  readonly id: string;
  readonly scope: Scope;
  readonly now: Micros;
}

/** Complete new row: sent values, defaults, id, scope and times. Null columns are omitted. */
export function newRow(model: Model, input: WriteInput, { id, scope, now }: ServerValues): Row {
  const row: Record<string, string | null> = {};
  for (const field of model.fields.values()) {
    if (field.definition.deprecated_for || field.definition.write_only) continue;
    const value = input.attributes[field.name] ?? field.definition.default;
    if (value !== undefined && value !== null) row[field.column] = columnText(field, value);
  }
  for (const [name, target] of toOneIds(input)) {
    if (target !== null) row[foreignKey(model, name)] = target;
  }
  return { ...row, ...scopeColumns(model, scope), id, ...creationTimes(model, now) };
}

/** Columns that an update changes, with their new values. */
export function changedColumns(model: Model, input: WriteInput): Row {
  const row: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(input.attributes)) {
    const field = model.fields.get(name) as FieldModel;
    row[field.column] = value === null ? null : columnText(field, value);
  }
  for (const [name, target] of toOneIds(input)) row[foreignKey(model, name)] = target;
  return row;
}

const toOneIds = ({ relationships }: WriteInput): [string, string | null][] =>
  Object.entries(relationships).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  );

const foreignKey = (model: Model, relation: string): string =>
  model.toOne.get(relation)?.column ?? `${relation}_id`;

const columnText = (field: FieldModel, value: unknown): string =>
  isJson(field) ? JSON.stringify(value) : String(value);

function scopeColumns(model: Model, scope: Scope): Row {
  return {
    ...(model.tenant_column === 'merchant_id' && { merchant_id: scope.merchant_id }),
    ...(model.has_mode && { mode: scope.mode }),
  };
}

function creationTimes(model: Model, now: Micros): Row {
  const at = instantText(now);
  return { created_at: at, ...(model.fields.has('updated_at') && { updated_at: at }) };
}

/** Columns whose new value a response would show differently than the stored value. */
export function differingColumns(model: Model, row: Row, columns: Row): Row {
  const fields = new Map([...model.fields.values()].map((field) => [field.column, field]));
  const isSame = ([column, value]: [string, string | null | undefined]): boolean => {
    const field = fields.get(column);
    return isDeepStrictEqual(toResponseValue(field, value), toResponseValue(field, row[column]));
  };
  return Object.fromEntries(Object.entries(columns).filter((entry) => !isSame(entry)));
}

/** Value of a column as responses show it. A column without a field contains an id. */
const toResponseValue = (
  field: FieldModel | undefined,
  value: string | null | undefined,
): unknown => (field ? JSON.parse(encode[field.definition.type](value)) : (value ?? null));
