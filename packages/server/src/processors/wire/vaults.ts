import { connect as connectSocket, type Socket } from 'node:net';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import {
  SERVER_CONNECTIONS,
  type ServerPool,
} from '@florin/contract/protocol/vault-connections.ts';
import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import {
  createIdentityHolder,
  type IdentityHolder,
  TLS_RELOAD_MS,
} from '@florin/contract/tls/identity-holder.ts';
import {
  type VaultAddress,
  type VaultsConfig,
  vaultAddressText,
} from '@florin/contract/tls/vault-address.ts';
import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { Logger } from '../../platform/logger.ts';
import { createReopenBackOff, type OpenTimes, type ReopenBackOff } from './reopen-back-off.ts';
import { openTlsConnection } from './tls-connection.ts';
import { tlsTools } from './tls-files.ts';
import { failedToConnect, faultOf, NotConnectedError } from './wire-error.ts';

/** Long enough for a busy vault, which still works. */
const PROBE_TIMEOUT_MS = 5_000;
/** Longer than those of the breaker of all vaults: other vaults work meanwhile. */
const ASKED_LAST: OpenTimes = { shortest_ms: 15_000, longest_ms: 300_000 };

/** State of one vault, as this server sees it. */
export interface VaultReport {
  readonly address: string;
  /** Undefined while the vault does not answer. */
  readonly health: VaultHealth | undefined;
  /** End of the certificate that the vault reported last, in milliseconds since 1970. Stays while it does not answer. */
  readonly certificate_expires_at: number | undefined;
  /** Code of the last error, such as `CERT_HAS_EXPIRED`; undefined after an answer. */
  readonly fault: string | undefined;
}

export interface VaultResponse extends Dispatcher.ResponseData {
  /** Asks this vault last until it is healthy: it lost a message, or cannot send. */
  distrust(): void;
}

/** Pool of a request. Default: `cards`. */
export type MessagePool = Exclude<ServerPool, 'probes'>;

/** Connections to all vaults of a server. */
export interface Vaults extends AsyncDisposable {
  /**
   * Sends a request to the first vault that works. Asks the next one only where no connection came about: a request that
   * was sent is never repeated. Slow messages without a card use a pool of their own: `cardless`.
   */
  request(options: Dispatcher.RequestOptions, pool?: MessagePool): Promise<VaultResponse>;
  /** Asks all vaults for their health. Resolves with the first answer; rejects if none can work. */
  probe(): Promise<VaultHealth>;
  reports(): readonly VaultReport[];
  /** Whether a vault answered its last probe, and has lost no message since. */
  isAnyUp(): boolean;
  /** End of this server's certificate for vaults, in milliseconds since 1970; undefined without one. */
  certificateExpiresAt(): number | undefined;
  /** Reads the certificates again. New connections use them. */
  reloadCertificates(): void;
}

interface OpenVault {
  readonly address: string;
  readonly pools: Readonly<Record<ServerPool, Pool>>;
  isUp: boolean;
  health: VaultHealth | undefined;
  certificate_expires_at: number | undefined;
  fault: string | undefined;
  probe: Promise<VaultHealth> | undefined;
  /** A vault that loses messages although it is healthy is asked last for longer each time. */
  readonly backOff: ReopenBackOff;
  /** Receives each change of `isUp`. */
  readonly report: (isUp: boolean) => void;
}

export interface VaultsDeps {
  readonly logger?: Pick<Logger, 'error' | 'info'>;
  readonly now?: () => number;
  /** Measures how long a vault is asked last. Absent: the process's monotonic clock. */
  readonly monotonic_ms?: () => number;
}

/** Opens no connection yet. Throws an `Error` with one sentence for people if the certificates cannot be used. */
export function openVaults(
  { addresses, tls }: VaultsConfig,
  { logger, now = Date.now, monotonic_ms = () => performance.now() }: VaultsDeps = {},
): Vaults {
  const fail = (sentence: string) => new Error(sentence);
  const holder = tls && createIdentityHolder(tlsTools, tls, now(), fail);
  const state = { isClosed: false };
  const report = addresses.length > 1 && logger ? reporterTo(logger, state) : () => {};
  const vaults = addresses.map((address) => openVault(address, { holder, report, monotonic_ms }));
  const timer = holder && setInterval(reloadCertificates, TLS_RELOAD_MS).unref();

  function reloadCertificates(): void {
    if (!holder) return;
    const { changed, faults } = holder.reload(now());
    for (const { problem, fix } of faults) logger?.error(`${problem} ${fix}`);
    if (changed) logger?.info('certificates for vaults were read again');
  }

  return {
    async request(options, pool = 'cards') {
      let failure: unknown;
      for (const vault of inOrder(vaults)) {
        try {
          const response = await vault.pools[pool].request(options);
          return Object.assign(response, { distrust: () => leave(vault) });
        } catch (error) {
          leave(vault);
          if (!failedToConnect(error)) throw error;
          vault.fault = faultOf(error);
          failure = error;
        }
      }
      throw failure;
    },
    probe: () => Promise.any(vaults.map(probeOnce)),
    reports: () =>
      vaults.map(({ address, health, certificate_expires_at, fault }) => ({
        address,
        health,
        certificate_expires_at,
        fault,
      })),
    isAnyUp: () => vaults.some(({ isUp, health }) => isUp && health !== undefined),
    certificateExpiresAt: () => holder?.current().expires_at,
    reloadCertificates,
    async [Symbol.asyncDispose]() {
      state.isClosed = true;
      clearInterval(timer);
      await Promise.all(
        vaults.flatMap(({ pools }) => Object.values(pools).map((pool) => pool.destroy())),
      );
    },
  };
}

/** Vaults that answered last come first, each in the order of the configuration. */
const inOrder = (vaults: readonly OpenVault[]): OpenVault[] =>
  vaults.toSorted((one, other) => Number(other.isUp) - Number(one.isUp));

function leave(vault: OpenVault): void {
  if (!vault.isUp) return;
  vault.isUp = false;
  vault.backOff.recordOpened();
  vault.report(false);
}

function useAgain(vault: OpenVault): void {
  if (vault.isUp || !vault.backOff.mayClose()) return;
  vault.isUp = true;
  vault.backOff.recordClosed();
  vault.report(true);
}

const reporterTo =
  (logger: Pick<Logger, 'error' | 'info'>, state: { readonly isClosed: boolean }) =>
  (vault: string, isUp: boolean): void => {
    // A stop ends what is in flight.
    if (state.isClosed) return;
    if (isUp) logger.info({ vault }, 'this vault answers again');
    else logger.error({ vault }, 'this vault does not answer: the others get its messages');
  };

interface OpenVaultDeps {
  readonly holder: IdentityHolder | undefined;
  readonly report: (address: string, isUp: boolean) => void;
  readonly monotonic_ms: () => number;
}

function openVault(
  vaultAddress: VaultAddress,
  { holder, report, monotonic_ms }: OpenVaultDeps,
): OpenVault {
  const connect = createConnect(vaultAddress, holder);
  const address = vaultAddressText(vaultAddress);
  const openPool = (pool: ServerPool): Pool =>
    new Pool('http://vault', { connect, connections: SERVER_CONNECTIONS[pool] });
  return {
    address,
    pools: {
      cards: openPool('cards'),
      cardless: openPool('cardless'),
      probes: openPool('probes'),
    },
    isUp: true,
    health: undefined,
    certificate_expires_at: undefined,
    fault: undefined,
    probe: undefined,
    backOff: createReopenBackOff(ASKED_LAST, monotonic_ms),
    report: (isUp) => report(address, isUp),
  };
}

/** Each failure is a `NotConnectedError`: no byte of a request was sent. */
const createConnect =
  (address: VaultAddress, holder: IdentityHolder | undefined): buildConnector.connector =>
  (_options, callback) => {
    openSocket(address, holder).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(new NotConnectedError(error), null),
    );
  };

function openSocket(address: VaultAddress, holder: IdentityHolder | undefined): Promise<Socket> {
  if (address.kind === 'tls') {
    if (!holder) return Promise.reject(new Error('No certificate for vaults.'));
    return openTlsConnection(address, holder.current());
  }
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket(address.path);
  socket.once('connect', () => resolve(socket)).once('error', reject);
  return promise;
}

/** Callers share a probe in flight: a vault that is silent must not gather them. */
function probeOnce(vault: OpenVault): Promise<VaultHealth> {
  vault.probe ??= askHealth(vault.pools.probes)
    .then(
      (health) => {
        useAgain(vault);
        vault.health = health;
        vault.certificate_expires_at = health.tls?.expires_at;
        vault.fault = undefined;
        return health;
      },
      (error: unknown) => {
        leave(vault);
        vault.health = undefined;
        vault.fault = faultOf(error);
        throw error;
      },
    )
    .finally(() => {
      vault.probe = undefined;
    });
  return vault.probe;
}

/** Requests a vault's health. Rejects unless the vault can work. */
async function askHealth(pool: Pool): Promise<VaultHealth> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: vaultPaths.health,
    headersTimeout: PROBE_TIMEOUT_MS,
    bodyTimeout: PROBE_TIMEOUT_MS,
  });
  if (statusCode === 200) return (await body.json()) as VaultHealth;
  await body.dump();
  throw new Error(`The vault answered ${statusCode}.`);
}
