import type { KeyContext } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import { hashKey, makeKey } from './api-key.ts';

/** Makes a key and its row. */
export function createToken(record: Row): { key: string; row: Row } {
  const key = makeKey(record.mode as 'live' | 'sandbox', record.context as KeyContext);
  return { key, row: rowOfKey(key, record) };
}

/** Row of a key, which has only the key's hash. */
export const rowOfKey = (key: string, record: Row): Row => ({
  origins: '[]',
  ...record,
  token_hash: `\\x${hashKey(key)}`,
});
