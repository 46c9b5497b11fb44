import { createLru } from '@florin/contract/lru.ts';
import type { FastifyRequest } from 'fastify';
import { OPERATOR_PATH } from './routes/operator-action.ts';

/** Milliseconds in which the same read of an operator is logged once: pages read again while they are open. */
const REPEATED_MS = 10 * 60_000;
/** Maximum number of remembered reads. An evicted read is logged again. */
const REMEMBERED_MAX = 10_000;
/** Reads of the installation's own state, which has no data of merchants. */
const UNLOGGED: ReadonlySet<string> = new Set([
  `${OPERATOR_PATH}/health`,
  `${OPERATOR_PATH}/processors`,
]);

/** Decides which reads are audited: those of operators, once in ten minutes for each person and address. */
export function createReadFilter(monotonic_ms: () => number): (request: FastifyRequest) => boolean {
  const logged = createLru<number>(REMEMBERED_MAX);
  return ({ method, person, routeOptions, url }) => {
    const route = routeOptions.url ?? '';
    if (method !== 'GET' || !person || !route.startsWith(`${OPERATOR_PATH}/`)) return false;
    if (UNLOGGED.has(route)) return false;
    const key = `${person.account.id} ${url}`;
    const now = monotonic_ms();
    const at = logged.get(key);
    if (at !== undefined && now - at < REPEATED_MS) return false;
    logged.set(key, now);
    return true;
  };
}
