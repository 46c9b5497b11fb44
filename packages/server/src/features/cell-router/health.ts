import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFaultOf } from '@florin/contract/database/fault.ts';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { type Health, probeOptions, serveMetrics } from '../../http/health/health.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Db } from '../../platform/database/db.ts';
import type { DatabaseHealth } from '../../platform/database/health.ts';
import type { CellAddress } from './cell-client.ts';
import type { Readiness } from './readiness.ts';

interface HealthSources {
  readonly global: Db;
  readonly directory_health: Pick<DatabaseHealth, 'currentFault' | 'isStuck'>;
  readonly cells: readonly CellAddress[];
  readonly readiness: Pick<Readiness, 'isReady'>;
  readonly limits: Pick<RateLimits, 'countProbe'>;
}

/**
 * Probes of a router, at the addresses of those of a server. A router is ready while a cell is: others may reach one that
 * this router does not.
 */
export function registerRouterHealth(
  fastify: FastifyInstance,
  register: Registry,
  { global, directory_health, cells, readiness, limits }: HealthSources,
): Health {
  const state = { draining: false };
  const probe = probeOptions(limits);
  const check = () => ({
    draining: state.draining,
    cells: Object.fromEntries(cells.map((cell) => [cell.name, readiness.isReady(cell)])),
  });
  fastify.get('/livez', probe, async (_request, reply) => {
    const alive = !directory_health.isStuck();
    return reply.status(alive ? 200 : 503).send({ alive });
  });
  fastify.get('/readyz', probe, async (_request, reply) => {
    const { draining, cells: views } = check();
    const ready = !draining && Object.values(views).includes(true);
    return reply.status(ready ? 200 : 503).send({ ready, cells: views });
  });
  fastify.get('/healthz', probe, async () => ({
    ...check(),
    directory_fault: await findDirectoryFault(global, directory_health),
    uptime_seconds: Math.round(process.uptime()),
  }));
  serveMetrics(fastify, register, probe);
  return {
    drain() {
      state.draining = true;
    },
  };
}

/** Longest wait of a probe for the directory. */
const PROBE_MS = 1_000;

/** Reason why the directory cannot be read; undefined if it can. A router reads it only. */
const findDirectoryFault = (
  global: Db,
  health: Pick<DatabaseHealth, 'currentFault'>,
): Promise<string | undefined> =>
  Promise.race([
    global.query('select 1', []).then(
      () => undefined,
      (error) => databaseFaultOf(error) ?? 'failing',
    ),
    sleep(PROBE_MS, undefined, { ref: false }).then(() => health.currentFault() ?? 'silent'),
  ]);
