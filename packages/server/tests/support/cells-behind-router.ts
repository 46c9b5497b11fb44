import { cloneDatabase } from '@florin/dev-env/databases.ts';
import type { Stack } from '@florin/dev-env/stack.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import type { App, Overrides } from '@florin/server/app.ts';
import type { RouterConfig } from '../../src/config/cells.ts';
import { type Config, defaults } from '../../src/config/config.ts';
import { createRouter } from '../../src/router.ts';
import type { Api } from './api.ts';
import { makeCell, startCellServer } from './cells.ts';

/** Ports of a router and of its cells, which all have the addresses of the router. */
export interface RouterPlaces {
  readonly port: number;
  readonly home: number;
  readonly away: number;
  /** Addresses of the configuration of each cell. */
  readonly addresses: {
    readonly public_url: string;
    readonly pay_url: string;
    readonly trusted_proxies: readonly string[];
  };
}

export async function chooseRouterPlaces(): Promise<RouterPlaces> {
  const [port, home, away] = [await freePort(), await freePort(), await freePort()];
  const addresses = {
    public_url: `http://localhost:${port}`,
    pay_url: `http://pay.localhost:${port}`,
    trusted_proxies: ['127.0.0.1'],
  };
  return { port, home, away, addresses };
}

export const routerConfigOf = (
  { databaseUrl }: Stack,
  { port, home, away, addresses }: RouterPlaces,
): RouterConfig => ({
  ...defaults,
  ...addresses,
  port,
  log_level: 'silent',
  rate_limit: null,
  global_database_url: databaseUrl,
  cells: [
    { name: 'home', url: new URL(`http://127.0.0.1:${home}`) },
    { name: 'away', url: new URL(`http://127.0.0.1:${away}`) },
  ],
});

/** The second cell of an installation. */
export interface AwayCell {
  /** Address of its database. */
  readonly address: string;
  readonly server: App;
}

/** Makes the stack, which listens at the port of `home`, a cell. Starts a second cell, and a router for both. */
export async function startBehindRouter(
  api: Pick<Api<Stack>, 'stack' | 'fixtures'>,
  places: RouterPlaces,
  cleanup: AsyncDisposableStack,
  awayConfig: Partial<Config> = {},
  overrides: Overrides = {},
): Promise<AwayCell> {
  const { databaseUrl } = api.stack;
  await makeCell(api, { name: 'home', address: databaseUrl });
  await api.stack.restart('server');
  const address = cleanup.use(await cloneDatabase()).url;
  await makeCell(api, { name: 'away', address });
  const config = {
    ...places.addresses,
    port: places.away,
    global_database_url: databaseUrl,
    ...awayConfig,
  };
  const server = await startCellServer(api.stack, address, config, cleanup, overrides);
  cleanup.use(await createRouter(routerConfigOf(api.stack, places)));
  return { address, server };
}
