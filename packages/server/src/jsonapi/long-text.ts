import type { FieldModel } from './model.ts';

/** An entry of a B-tree has about 2,700 bytes, a character up to four, and the scope comes first. */
const WHOLE_CHARACTERS_MAX = 600;

/** How much of a long text its index holds. */
export const PREFIX_CHARACTERS = 200;

/** Whether values may be too long for an index, so that it holds their beginnings only. */
export const isLong = ({ definition }: Pick<FieldModel, 'definition'>): boolean =>
  TEXTS.has(definition.type) && (definition.max ?? 0) > WHOLE_CHARACTERS_MAX;

const TEXTS: ReadonlySet<string> = new Set(['string', 'url']);

/** The part of a text that its index holds, counted in code points as PostgreSQL does. */
export const prefixOf = (text: string): string => [...text].slice(0, PREFIX_CHARACTERS).join('');
