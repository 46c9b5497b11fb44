import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseFault, databaseFaultOf } from '@florin/contract/database/fault.ts';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { type Database, isWritable } from '../../platform/database/db.ts';
import { type DatabaseHealth, hasSpace } from '../../platform/database/health.ts';
import type { Services } from '../../services.ts';
import { createSyncHook } from '../hook.ts';
import type { RateLimits } from '../rate-limit.ts';
import { clockNotes, registerClocks } from './clocks-metric.ts';
import { metricOptions } from './metrics.ts';
import { registerProcess } from './process-metrics.ts';
import { certificateNotes, registerVault, vaultNotes, vaultStatus } from './vault-health.ts';
import { registerWorkLoops } from './work-loops-metric.ts';

type HealthServices = Pick<Services, 'db' | 'database_health' | 'restore_gate'> &
  Parameters<typeof registerClocks>[1] &
  Parameters<typeof registerProcess>[1] &
  Parameters<typeof registerVault>[1] &
  Parameters<typeof registerWorkLoops>[1];

/** Parts of a server's health that features add. */
export interface FeatureHealth {
  /** Seconds that the balances are behind the ledger; null while the database does not answer. */
  readonly balances_lag: () => Promise<number | null>;
  readonly registerMetrics: (register: Registry) => void;
}

export interface Health {
  /** Makes `/readyz` fail from now on, so that load balancers send no further requests. */
  drain(): void;
}

/**
 * `/livez`: the process needs no restart. `/readyz`: the server can take payments. `/healthz`: both, in
 * words. `/metrics`: Prometheus.
 */
export function registerHealth(
  fastify: FastifyInstance,
  services: HealthServices,
  metrics: Registry,
  features: FeatureHealth,
  limits: Pick<RateLimits, 'countProbe'>,
): Health {
  const { clocks, db, vault, database_health, restore_gate } = services;
  const state = { draining: false };
  const check = async () => ({
    draining: state.draining,
    ...databaseView(await findWriteFault(db, database_health)),
    vault: vaultStatus(vault),
  });
  const probe = probeOptions(limits);
  fastify.get('/livez', probe, async (_request, reply) => {
    const alive = !database_health.isStuck();
    return reply.status(alive ? 200 : 503).send({ alive });
  });
  fastify.get('/readyz', probe, async (_request, reply) => {
    const { draining, database, ...readiness } = await check();
    const restored_to = restore_gate.restoredTo();
    const notes = [
      ...vaultNotes(vault, database),
      ...certificateNotes(vault, services.system_clock.now()),
      ...clockNotes(clocks),
      ...(restored_to === undefined ? [] : [closedNote(restored_to)]),
    ];
    const isOpen = !draining && restored_to === undefined;
    const ready = database && isOpen && readiness.vault === 'ok';
    return reply
      .status(ready ? 200 : 503)
      .send({ ready, ...readiness, ...(notes.length > 0 && { notes }) });
  });
  fastify.get('/healthz', probe, async () => ({
    ...(await check()),
    restored_to: restore_gate.restoredTo(),
    balances_behind_seconds: await Promise.race([features.balances_lag(), afterProbe(null)]),
    uptime_seconds: Math.round(process.uptime()),
  }));
  features.registerMetrics(metrics);
  registerMetrics(fastify, services, metrics, probe);
  return {
    drain() {
      state.draining = true;
    },
  };
}

const closedNote = (restored_to: string): string =>
  `The installation was restored to ${restored_to} and is closed until an operator runs restore open.`;

/**
 * Options of the routes of probes. Refuses too many requests of an address, since each asks the database. Refuses a path
 * with a final slash: proxies that hide `/metrics` would let `/metrics/` through.
 */
export const probeOptions = (limits: Pick<RateLimits, 'countProbe'>): RouteShorthandOptions => ({
  async onRequest({ url, ip }, reply) {
    if (/\/(\?|$)/.test(url)) return reply.callNotFound();
    limits.countProbe(reply, ip);
  },
});

/** Longest wait of a probe for the database. */
const PROBE_MS = 1_000;

const afterProbe = <T>(value: T): Promise<T> => sleep(PROBE_MS, value, { ref: false });

type WriteFault = DatabaseFault | 'failing';

/** Reason why the database accepts no writes; undefined if it does. A timeout counts as unreachable. */
export const findWriteFault = (
  db: Database,
  health: DatabaseHealth,
  probe_ms = PROBE_MS,
): Promise<WriteFault | undefined> =>
  Promise.race([
    refusalOf(db, health).catch((error) => databaseFaultOf(error) ?? 'failing'),
    sleep(probe_ms, undefined, { ref: false }).then(
      () => health.currentFault() ?? (db.isExhausted() ? 'pool_exhausted' : 'silent'),
    ),
  ]);

async function refusalOf(db: Database, health: DatabaseHealth): Promise<WriteFault | undefined> {
  if (!(await isWritable(db))) return 'read_only';
  return (await health.isDiskFull(() => hasSpace(db))) ? 'disk_full' : undefined;
}

const databaseView = (database_fault: WriteFault | undefined) => ({
  database: database_fault === undefined,
  database_fault,
});

function registerMetrics(
  fastify: FastifyInstance,
  services: HealthServices,
  register: Registry,
  probe: RouteShorthandOptions,
): void {
  registerProcess(register, services);
  registerVault(register, services);
  registerClocks(register, services);
  registerWorkLoops(register, services);
  registerDatabaseFault(register, services);
  const duration = new Histogram({
    ...metricOptions('florin_http_request_seconds'),
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  });
  fastify.addHook(
    'onResponse',
    createSyncHook((request, reply) => {
      const route = request.routeOptions.url ?? 'none';
      duration.observe(
        { method: request.method, route, status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
    }),
  );
  serveMetrics(fastify, register, probe);
}

/** Gauge of the fault that `/readyz` names, so that alerts see a full disk, on which reads succeed. */
function registerDatabaseFault(
  register: Registry,
  { db, database_health }: Pick<Services, 'db' | 'database_health'>,
): void {
  new Gauge({
    ...metricOptions('florin_database_fault'),
    registers: [register],
    async collect() {
      const fault = await findWriteFault(db, database_health);
      this.reset();
      if (fault) this.set({ fault }, 1);
    },
  });
}

/** Serves `/metrics`, with the default metrics of Node.js. */
export function serveMetrics(
  fastify: FastifyInstance,
  register: Registry,
  probe: RouteShorthandOptions,
): void {
  collectDefaultMetrics({ register });
  fastify.get('/metrics', probe, async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  );
}
