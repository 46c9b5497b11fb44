import { createLru } from '@florin/contract/lru.ts';
import type { Row } from '../row.ts';

/** Makes a row of the fields of a result. */
export type RowShape = (fields: readonly (string | null)[]) => Row;

/** Maximum number of compiled column lists, since clients choose their fields. */
const SHAPES_MAX = 1_000;

const shapes = createLru<RowShape>(SHAPES_MAX);

/**
 * Compiles a function that makes rows with these columns. The later of two columns with one name counts. Rows of one
 * function share a hidden class, so that readers of a column find it without a search.
 */
export const createRowShape = (columns: readonly string[]): RowShape =>
  shapes.getOrCreate(JSON.stringify(columns), () => {
    const members = columns.map((name, index) => `${JSON.stringify(name)}:f[${index}]`);
    // The code consists of string literals and numbers only.
    return new Function('f', `return {${members.join(',')}}`) as RowShape;
  });
