import type { UnknownResult } from './message.ts';

export const unknownResult = (why: string): UnknownResult => ({ result: 'unknown', why });

/** Format of processors' ids and codes: short, printable, without characters that need escaping. */
const ID_OR_CODE = /^[\w.:+/=-]{1,64}$/;

export const isIdOrCode = (value: unknown): value is string =>
  typeof value === 'string' && ID_OR_CODE.test(value);
