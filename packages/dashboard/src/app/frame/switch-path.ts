import type { Scope } from '../../api/types.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the path of the same page in another merchant or mode. Records belong to one scope, so the path ends before
 * the first id: a payment leads to the list of payments.
 */
export function pathInScope(path: string, { merchant, mode }: Scope): string {
  const [, , , ...rest] = path.split('/');
  const record = rest.findIndex((part) => UUID.test(part));
  const pageParts = record < 0 ? rest : rest.slice(0, record);
  return ['', merchant, mode, ...pageParts].join('/');
}
