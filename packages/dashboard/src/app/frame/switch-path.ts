import type { Scope } from '../../api/types.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The address of the same page in another merchant or mode. A record belongs to one of each, so what is below the first
 * id of the path is left out: from a payment one comes to the payments.
 */
export function pathInScope(path: string, { merchant, mode }: Scope): string {
  const [, , , ...rest] = path.split('/');
  const record = rest.findIndex((part) => UUID.test(part));
  const kept = record < 0 ? rest : rest.slice(0, record);
  return ['', merchant, mode, ...kept].join('/');
}
