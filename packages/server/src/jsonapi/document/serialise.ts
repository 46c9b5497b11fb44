import type { Row } from '../../platform/database/row.ts';
import type { Model } from '../model.ts';
import { encode } from './encode.ts';
import { attributesPieces, expressionOf } from './resource-code.ts';

type Write = (row: Row) => string;

const writers = new WeakMap<Model, Write>();

/** JSON text of a record's attributes for a snapshot: all readable attributes, except sensitive ones. */
export function attributesJson(model: Model, row: Row): string {
  const storedWriter = writers.get(model);
  if (storedWriter) return storedWriter(row);
  const write = compileModel(model);
  writers.set(model, write);
  return write(row);
}

/** JSON text `{"id","type","attributes"}` of a record, for snapshots. */
export const resourceJson = (model: Model, row: Row): string =>
  `{"id":"${row.id}","type":"${model.type}","attributes":${attributesJson(model, row)}}`;

function compileModel(model: Model): Write {
  const fields = [...model.fields.values()].filter(
    ({ readable, definition }) => readable && !definition.sensitive,
  );
  const source = `return (row) => ${expressionOf(attributesPieces(fields))}`;
  return (new Function('encode', source) as (codecs: typeof encode) => Write)(encode);
}
