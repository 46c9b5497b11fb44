import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { RouterConfig } from './config/cells.ts';
import { createCellClient } from './features/cell-router/cell-client.ts';
import { exchangeFacts } from './features/cell-router/exchange.ts';
import { createCellFinder } from './features/cell-router/find-cell.ts';
import { registerRouterHealth } from './features/cell-router/health.ts';
import { CLIENT_LIMITS } from './features/cell-router/limits.ts';
import { createRouterMetrics, registerRouterGauges } from './features/cell-router/metrics.ts';
import { watchReadiness } from './features/cell-router/readiness.ts';
import { registerCellRouter } from './features/cell-router/routes.ts';
import { listCells } from './features/cells/sql/directory.ts';
import { openLogs } from './http/health/open-logs.ts';
import { createPoolMetrics } from './http/health/pool-metrics.ts';
import { registerProcessFacts, SERVER_VERSION } from './http/health/process-metrics.ts';
import { registerPrivatePaths } from './http/private-paths.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { openServer } from './http/server.ts';
import { createSite } from './http/site.ts';
import { type Database, openDatabase } from './platform/database/db.ts';
import { createLoggedDatabaseHealth } from './platform/database/health.ts';
import type { Logger } from './platform/logger.ts';
import { exportTelemetry } from './platform/telemetry/export-telemetry.ts';
import type { Telemetry } from './platform/telemetry/tracing.ts';

/** A running router. */
export interface Router extends AsyncDisposable {
  readonly port: number;
}

/** Connections of a router to the global database. */
const CONNECTIONS_MAX = 4;

/**
 * Starts a process that passes requests on to the cells of their merchants, without keys and without a cell's database. On
 * failure throws an `Error` with one sentence for people.
 */
export async function createRouter(config: RouterConfig): Promise<Router> {
  await using stack = new AsyncDisposableStack();
  const { cells, host, port, monotonic_ms, trusted_proxies } = config;
  const register = new Registry();
  const metrics = createRouterMetrics(register);
  const { clients_max } = CLIENT_LIMITS;
  const onDrop = (): void => metrics.countRefusal('connections');
  const server = await openServer({ host, port, clients_max, onDrop });
  stack.defer(() => server.close());
  const { logger, access_logger } = openLogs(config, register);
  if (config.telemetry) stack.use(await exportMetrics(config, config.telemetry, register));
  const { global, directory_health } = openDirectory(config, register, logger);
  stack.use(global);
  await checkCells(global, config, logger);
  const site = createRouterSite(config, { logger, access_logger });
  const limits = createRateLimits(config);
  const client = stack.use(createCellClient({ metrics, trusted_proxies }));
  const readiness = stack.use(watchReadiness(cells, logger));
  registerRouterGauges(register, { cells, ...readiness, ...client, ...server });
  registerProcessFacts(register, config, () => ({ router: config.restarts }));
  const sources = { global, directory_health, cells, readiness, limits };
  const health = registerRouterHealth(site, register, sources);
  const { countLookup } = metrics;
  const finder = createCellFinder({ global, monotonic_ms, logger, countLookup });
  const options = { global, cells, client, readiness, finder, limits, metrics, logger };
  registerCellRouter(site, options);
  await server.serve([{ fastify: site, serves: () => true }], config.public_url);
  stack.defer(async () => {
    health.drain();
    await sleep(config.drain_ms);
    await server.close();
  });
  const startedResources = stack.move();
  return {
    port: server.port,
    [Symbol.asyncDispose]: () => startedResources.disposeAsync(),
  };
}

const exportMetrics = (
  { environment }: RouterConfig,
  telemetry: Telemetry,
  register: Registry,
): Promise<AsyncDisposable> =>
  exportTelemetry({
    ...telemetry,
    register,
    environment,
    service: 'florin-router',
    version: SERVER_VERSION,
  });

/** The global database, of which a router reads the directory only. */
function openDirectory(
  { global_database_url: url, monotonic_ms }: RouterConfig,
  register: Registry,
  logger: Logger,
) {
  const pools = createPoolMetrics(register);
  const directory_health = createLoggedDatabaseHealth(logger, monotonic_ms);
  const global = openDatabase({
    url,
    connections_max: CONNECTIONS_MAX,
    health: directory_health,
    onWait: pools.observerOf('global'),
  });
  pools.track('global', global);
  return { global, directory_health };
}

function createRouterSite(
  config: RouterConfig,
  loggers: { readonly logger: Logger; readonly access_logger: Logger },
): FastifyInstance {
  const { logger, access_logger } = loggers;
  const site = createSite(logger, {
    base_url: config.public_url,
    trusted_proxies: config.trusted_proxies,
    access_log: config.access_log,
    access_logger,
    audience: 'payers',
    access_facts: exchangeFacts,
    hasOutagePage: true,
  });
  registerPrivatePaths(site, config);
  return site;
}

/** Refuses names that the directory lacks. A cell without an address may be one that is not served yet. */
async function checkCells(
  global: Database,
  { cells }: RouterConfig,
  logger: Logger,
): Promise<void> {
  const known = (await listCells(global)).map(({ name }) => name as string);
  const unknown = cells.find(({ name }) => !known.includes(name));
  if (unknown)
    throw new Error(
      `FLORIN_CELLS names ${unknown.name}, which is no cell: "florin cell list" shows those of this installation.`,
    );
  for (const name of known)
    if (!cells.some((cell) => cell.name === name))
      logger.warn({ cell: name }, 'FLORIN_CELLS lacks a cell');
}
