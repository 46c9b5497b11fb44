import { setTimeout as sleep } from 'node:timers/promises';
import type { RouterConfig } from './config/cells.ts';
import { createCellClient } from './features/cell-router/cell-client.ts';
import { createCellFinder } from './features/cell-router/find-cell.ts';
import { watchReadiness } from './features/cell-router/readiness.ts';
import { registerCellRouter } from './features/cell-router/routes.ts';
import { listCells } from './features/cells/sql/directory.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { openServer } from './http/server.ts';
import { createSite } from './http/site.ts';
import { type Database, openDatabase } from './platform/database/db.ts';
import { createLogger, type Logger } from './platform/logger.ts';

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
  const { cells, monotonic_ms, log_level, access_log_fd } = config;
  const server = await openServer(config);
  stack.defer(() => server.close());
  const logger = createLogger(log_level);
  const global = stack.use(
    openDatabase({ url: config.global_database_url, connections_max: CONNECTIONS_MAX }),
  );
  await checkCells(global, config, logger);
  const site = createSite(logger, {
    base_url: config.public_url,
    trusted_proxies: config.trusted_proxies,
    access_log: config.access_log,
    ...(access_log_fd !== undefined && {
      access_logger: createLogger(log_level, undefined, access_log_fd),
    }),
    audience: 'payers',
    hasOutagePage: true,
  });
  const state = { draining: false };
  site.get('/livez', async () => ({ alive: true }));
  site.get('/readyz', async (_request, reply) =>
    reply.status(state.draining ? 503 : 200).send({ ready: !state.draining }),
  );
  registerCellRouter(site, {
    global,
    cells,
    client: stack.use(createCellClient()),
    readiness: stack.use(watchReadiness(cells, logger)),
    finder: createCellFinder({ global, monotonic_ms, logger }),
    limits: createRateLimits(config),
    logger,
  });
  await server.serve([{ fastify: site, serves: () => true }], config.public_url);
  stack.defer(async () => {
    state.draining = true;
    await sleep(config.drain_ms);
    await server.close();
  });
  const startedResources = stack.move();
  return {
    port: server.port,
    [Symbol.asyncDispose]: () => startedResources.disposeAsync(),
  };
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
