import type { UnknownResult, WireAnswer } from './message.ts';

/** Unchecked members of an object that a processor sent. */
export type Members = Readonly<Record<string, unknown>>;

export type Answered = Extract<WireAnswer, { outcome: 'answered' }>;

export const unknownResult = (why: string): UnknownResult => ({ result: 'unknown', why });

/** Members of an object; none of anything else. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** Objects of a list; none of anything else. */
export const itemsOf = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.map(membersOf) : [];

/** Format of processors' ids and codes: short, printable, without characters that need escaping. */
const ID_OR_CODE = /^[\w.:+/=-]{1,64}$/;

export const isIdOrCode = (value: unknown): value is string =>
  typeof value === 'string' && ID_OR_CODE.test(value);

/** A short text for codes and references; undefined for other values. */
export const textOf = (value: unknown): string | undefined =>
  isIdOrCode(value) ? value : undefined;
