import { join } from 'node:path';
import { type App, createApp, type Overrides } from '@florin/server/app.ts';
import { type Config, defaults } from '@florin/server/config/config.ts';
import { createSimulator, type Simulator, type SimulatorConfig } from '@florin/simulator/app.ts';
import { type BehaviourOf, behaviourOfAmount } from '@florin/simulator/threeds/behaviours.ts';
import { createVault, type Vault, type VaultOverrides } from '@florin/vault/app.ts';

/** Addresses with which the parts of a stack reach each other. */
export interface StackAddresses {
  readonly port: number;
  readonly dataDir: string;
  readonly socketPath: string;
  readonly simulatorUrl: string;
  readonly databaseUrl: string;
  readonly vaultDatabaseUrl: string;
}

/** Polling interval of the loops, in milliseconds. At half a second an idle stack takes a tenth of a core. */
const TEST_POLL_MS = 1_000;
/**
 * Polling interval of sandbox timelines, in milliseconds. Each clock waits a few of them before and after each step.
 */
const TEST_TIMELINES_POLL_MS = 250;
/** Cost of password hashes, a sixteenth of production's. */
export const TEST_PASSWORD_COST = 1_024;
const LOG_LEVEL = 'silent';

export interface SimulatorOptions extends Pick<SimulatorConfig, 'faults' | 'pace' | 'now'> {
  /** Called with the browser of every authentication request to the bank. */
  readonly onBrowser?: (browser: NonNullable<Parameters<BehaviourOf>[0]['browser']>) => void;
}

export const startSimulator = (
  dataDir: string,
  port: number,
  { onBrowser, ...options }: SimulatorOptions = {},
): Promise<Simulator> =>
  createSimulator({
    dataDir: join(dataDir, 'simulator'),
    port,
    behaviours: (request) => {
      if (request.browser) onBrowser?.(request.browser);
      return behaviourOfAmount(request);
    },
    ...options,
  });

export const startVault = (
  addresses: StackAddresses,
  egress: readonly string[] = [],
  overrides: VaultOverrides = {},
): Promise<Vault> =>
  createVault(
    {
      socketPath: addresses.socketPath,
      databaseUrl: addresses.vaultDatabaseUrl,
      dataDir: join(addresses.dataDir, 'vault'),
      egress: [addresses.simulatorUrl, ...egress],
      log_level: LOG_LEVEL,
    },
    overrides,
  );

export const startServer = (
  addresses: StackAddresses,
  config: Partial<Config> = {},
  overrides: Overrides = {},
): Promise<App> =>
  createApp(
    {
      ...defaults,
      port: addresses.port,
      public_url: `http://localhost:${addresses.port}`,
      pay_url: `http://pay.localhost:${addresses.port}`,
      database_url: addresses.databaseUrl,
      data_dir: addresses.dataDir,
      vaults: { addresses: [{ kind: 'socket', path: addresses.socketPath }] },
      simulator_url: addresses.simulatorUrl,
      log_level: LOG_LEVEL,
      work_poll_ms: TEST_POLL_MS,
      timelines_poll_ms: TEST_TIMELINES_POLL_MS,
      password_cost: TEST_PASSWORD_COST,
      rate_limit: null,
      demo_orders: false,
      ...config,
    },
    overrides,
  );
