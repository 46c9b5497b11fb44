import { type Input, isObject } from '../http/input.ts';
import { unreadableToken } from './refusals.ts';

/** Parses a JSON object. Throws `wallet_token_unreadable` without the parser's message, which quotes the text. */
export function readObject(text: string, name: string): Input {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The refusal below handles the error.
  }
  throw unreadableToken(`${name} is not an object`);
}

export function textOf(object: Input, name: string): string {
  const value = object[name];
  if (typeof value === 'string' && value !== '') return value;
  throw unreadableToken(`${name} is missing`);
}

/** Parses padded base64 in canonical form only, so that different texts have different bytes. */
export function bytesOf(object: Input, name: string): Buffer {
  const text = textOf(object, name);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw unreadableToken(`${name} is not base64`);
  return bytes;
}

/** Parses an even number of hexadecimal digits. */
export function hexOf(object: Input, name: string): Buffer {
  const text = textOf(object, name);
  if (!/^(?:[\da-f]{2})+$/i.test(text)) throw unreadableToken(`${name} is not hexadecimal`);
  return Buffer.from(text, 'hex');
}

/** Parses milliseconds since 1970 from decimal digits, Google's form. */
export function millisecondsOf(object: Input, name: string): number {
  const text = textOf(object, name);
  if (!/^\d{1,15}$/.test(text)) throw unreadableToken(`${name} is not a time`);
  return Number(text);
}
