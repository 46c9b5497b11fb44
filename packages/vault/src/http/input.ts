import type { Mode } from '@florin/contract/protocol/vault.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';

/** An unchecked JSON object of a request. */
export type Input = Readonly<Record<string, unknown>>;

const badInput = (name: string, rule: string): VaultRefusal =>
  new VaultRefusal('bad_request', `${name} must be ${rule}.`);

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function toObject(value: unknown, name: string): Input {
  if (!isObject(value)) throw badInput(name, 'an object');
  return value;
}

export function toText(value: unknown, name: string, charsMax: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= charsMax) return value;
  throw badInput(name, `a string of 1 to ${charsMax} characters`);
}

export function toInteger(value: unknown, name: string, min: number, max: number): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw badInput(name, `a whole number from ${min} to ${max}`);
}

export function toBoolean(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw badInput(name, 'true or false');
  return value;
}

export function toOneOf<T extends string>(value: unknown, name: string, texts: readonly T[]): T {
  const text = texts.find((candidate) => candidate === value);
  if (text === undefined) throw badInput(name, texts.join(' or '));
  return text;
}

const isMode = (value: unknown): value is Mode => value === 'live' || value === 'sandbox';

const ID_CHARS_MAX = 64;
export const TOKEN_CHARS_MAX = 64;

/** ASCII without spaces and control characters. Operators read ids in a terminal, which would obey others. */
const ID_PATTERN = /^[!-~]+$/;

export function toId(value: unknown, name: string): string {
  const id = toText(value, name, ID_CHARS_MAX);
  if (ID_PATTERN.test(id)) return id;
  throw badInput(name, 'printable ASCII without spaces');
}

/** Parses the `merchant_id` and `mode` of a request. `prefix` is their location in the body. */
export function toScope(input: Input, prefix = ''): Scope {
  const merchant_id = toId(input.merchant_id, `${prefix}merchant_id`);
  return { merchant_id, mode: toMode(input.mode, `${prefix}mode`) };
}

export function toMode(value: unknown, name: string): Mode {
  if (!isMode(value)) throw badInput(name, 'live or sandbox');
  return value;
}
