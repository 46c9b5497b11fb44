import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client';
import { type Db, isWritable } from '../store/db.ts';
import { type BalancesLag, createBalancesLag, registerBalancesLag } from './balances-metric.ts';
import { registerOpenAttempts } from './open-attempts-metric.ts';
import { registerQuarantinedDisputes } from './quarantined-disputes-metric.ts';
import { registerVault, vaultNotes, vaultStatus } from './vault-health.ts';
import { registerWorkLoops } from './work-loops-metric.ts';

type MetricServices = Parameters<typeof registerOpenAttempts>[1] &
  Parameters<typeof registerVault>[1] &
  Parameters<typeof registerWorkLoops>[1];

export interface Health {
  /** From now on `/readyz` says no, so that balancers send nothing more. */
  drain(): void;
}

/** `/livez` the process turns, `/readyz` it can take payments, `/healthz` both in words, `/metrics` for Prometheus. */
export function registerHealth(
  fastify: FastifyInstance,
  services: MetricServices,
  metrics: Registry,
): Health {
  const { db, vault } = services;
  const state = { draining: false };
  const lag = createBalancesLag(services);
  const check = async () => ({
    draining: state.draining,
    database: await canWrite(db),
    vault: vaultStatus(vault),
  });
  fastify.get('/livez', async () => ({ alive: true }));
  fastify.get('/readyz', async (_request, reply) => {
    const parts = await check();
    const notes = vaultNotes(vault);
    const ready = parts.database && !parts.draining && parts.vault === 'ok';
    return reply
      .status(ready ? 200 : 503)
      .send({ ready, vault: parts.vault, ...(notes.length > 0 && { notes }) });
  });
  fastify.get('/healthz', async () => ({
    ...(await check()),
    balances_behind_seconds: await lag(),
    uptime_seconds: Math.round(process.uptime()),
  }));
  registerMetrics(fastify, services, lag, metrics);
  return {
    drain() {
      state.draining = true;
    },
  };
}

/** Longest that a probe waits for the database. */
const PROBE_MS = 1_000;

/** A database that does not answer in time is as good as none. */
const canWrite = (db: Db): Promise<boolean> =>
  Promise.race([isWritable(db).catch(() => false), sleep(PROBE_MS, false, { ref: false })]);

function registerMetrics(
  fastify: FastifyInstance,
  services: MetricServices,
  lag: BalancesLag,
  register: Registry,
): void {
  collectDefaultMetrics({ register });
  registerOpenAttempts(register, services);
  registerBalancesLag(register, lag);
  registerQuarantinedDisputes(register, services);
  registerVault(register, services);
  registerWorkLoops(register, services);
  const duration = new Histogram({
    name: 'florin_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  fastify.get('/metrics', async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  );
}
