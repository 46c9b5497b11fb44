import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { createRateLimits } from '../../../http/rate-limit.ts';
import { type HttpServer, openServer } from '../../../http/server.ts';
import { createSite } from '../../../http/site.ts';
import { openDatabase } from '../../../platform/database/db.ts';
import { createLogger } from '../../../platform/logger.ts';
import { type CellAddress, createCellClient } from '../cell-client.ts';
import { createCellFinder } from '../find-cell.ts';
import { CLIENT_LIMITS, type ClientLimits } from '../limits.ts';
import { type CellConnections, createRouterMetrics } from '../metrics.ts';
import { registerCellRouter } from '../routes.ts';

export interface RouterOptions {
  readonly limits?: Partial<ClientLimits>;
  readonly trusted_proxies?: readonly string[];
}

/** A router before servers that stand in for cells, without a directory. */
export interface TestRouter {
  readonly server: HttpServer;
  readonly register: Registry;
  connectionsOf(cell: Pick<CellAddress, 'name'>): CellConnections;
}

/** Opens a router at a free port, before cells that listen. */
export async function openTestRouter(
  cells: Readonly<Record<string, Server>>,
  cleanup: AsyncDisposableStack,
  { limits = {}, trusted_proxies = [] }: RouterOptions = {},
): Promise<TestRouter> {
  const logger = createLogger('silent');
  const register = new Registry();
  const metrics = createRouterMetrics(register);
  const client_limits = { ...CLIENT_LIMITS, ...limits };
  const site = createSite(logger, {
    base_url: 'http://localhost',
    access_log: false,
    trusted_proxies,
  });
  const monotonic_ms = () => performance.now();
  const global = cleanup.use(
    openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', connections_max: 1 }),
  );
  const addresses = Object.entries(cells).map(([name, server]) => ({
    name,
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  }));
  const client = cleanup.use(createCellClient({ metrics, trusted_proxies, limits: client_limits }));
  registerCellRouter(site, {
    global,
    cells: addresses,
    client,
    readiness: { inOrder: () => addresses },
    finder: createCellFinder({ global, monotonic_ms, logger }),
    limits: createRateLimits({ rate_limit: null, monotonic_ms }),
    client_limits,
    metrics,
    logger,
  });
  const server = await openServer({
    host: '127.0.0.1',
    port: 0,
    clients_max: client_limits.clients_max,
    onDrop: () => metrics.countRefusal('connections'),
  });
  cleanup.defer(() => server.close());
  await server.serve([{ fastify: site, serves: () => true }], 'http://localhost');
  return { server, register, connectionsOf: client.connectionsOf };
}
