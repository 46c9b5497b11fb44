import type { FieldModel } from './model.ts';

/** A B-tree entry has about 2,700 bytes, a character up to four, and the scope comes first. */
const WHOLE_CHARACTERS_MAX = 600;

/** Indexed characters of a long text. */
export const PREFIX_CHARACTERS = 200;

/** Whether values may exceed an index entry, so that the index holds only their prefixes. */
export const isLong = ({ definition }: Pick<FieldModel, 'definition'>): boolean =>
  TEXTS.has(definition.type) && (definition.max ?? 0) > WHOLE_CHARACTERS_MAX;

const TEXTS: ReadonlySet<string> = new Set(['string', 'url']);

/** Indexed part of a text, counted in code points as PostgreSQL does. */
export const indexedPrefix = (text: string): string =>
  [...text].slice(0, PREFIX_CHARACTERS).join('');
