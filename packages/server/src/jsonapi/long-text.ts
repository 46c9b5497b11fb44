import type { FieldModel } from './model.ts';

/** A B-tree entry holds about 2,700 bytes: the scope, and up to four bytes per character. */
const WHOLE_CHARACTERS_MAX = 600;

/** Indexed characters of a long text. */
export const PREFIX_CHARACTERS = 200;

/** Whether values may be longer than an index entry; the index then holds only their prefixes. */
export const isLong = ({ definition }: Pick<FieldModel, 'definition'>): boolean =>
  TEXTS.has(definition.type) && (definition.max ?? 0) > WHOLE_CHARACTERS_MAX;

const TEXTS: ReadonlySet<string> = new Set(['string', 'url']);

/** Indexed part of a text, counted in code points as PostgreSQL does. */
export const indexedPrefix = (text: string): string =>
  [...text].slice(0, PREFIX_CHARACTERS).join('');
