import type { DestinationStream } from 'pino';
import { createAlarms } from './audit/alarms.ts';
import { createAudit } from './audit/audit.ts';
import { createRefusals } from './audit/refusals.ts';
import { startSweeper } from './cards/sweeper.ts';
import { LOG_LEVEL_DEFAULT, parseEgress, type VaultConfig } from './config/config.ts';
import { bindKnownLogins } from './consent/bind-logins.ts';
import { createPendingCount } from './consent/pending-accounts.ts';
import { type AdminDeps, createAdminRoutes } from './http/admin-routes.ts';
import { createRoutes, type RouteDeps } from './http/routes.ts';
import { serve } from './http/server.ts';
import { unixSocket } from './http/socket.ts';
import { createTlsListener } from './http/tls-listener.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createLog, type Log } from './kernel/logger.ts';
import { createAuditKey } from './keys/audit-key.ts';
import { createCvvEpochs } from './keys/cvv-epochs.ts';
import { createFingerprints } from './keys/fingerprints.ts';
import { createKeks } from './keys/keks.ts';
import { createKeyCache } from './keys/key-cache.ts';
import { startKeyWatch } from './keys/key-watch.ts';
import { checkKeyFiles } from './keys/kms/check-key-files.ts';
import { openKms } from './keys/kms/open-kms.ts';
import { openRootKeys } from './keys/root-keys.ts';
import { createSealingKeys } from './keys/sealing-keys.ts';
import { createVaultSelf, registerVault } from './keys/vaults.ts';
import { createWalletKeys } from './keys/wallet-keys.ts';
import { createLimits, LIMITS_DEFAULT } from './limits/limits.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import { createSender } from './relay/sender.ts';
import { createRotator } from './rotation/rotator.ts';
import { startSchedule } from './rotation/schedule.ts';
import { type Database, loginOf, openDatabase } from './store/db.ts';
import { migrate } from './store/migrate.ts';
import { createTombstones } from './tombstones/tombstones.ts';
import { openWallets } from './wallets/wallets.ts';

/** Replacements that tests inject. */
export interface VaultOverrides {
  readonly clock?: Clock;
  readonly log_destination?: DestinationStream;
  /** Interval in which a vault announces its root key versions. */
  readonly announce_ms?: number;
  /** Interval in which the vault looks for changed certificates. */
  readonly tls_reload_ms?: number;
}

export type Vault = AsyncDisposable;

/**
 * Starts a vault, which serves when the promise resolves. Throws `StartupError` after closing everything it
 * opened.
 */
export async function createVault(
  config: VaultConfig,
  { clock = systemClock, log_destination, announce_ms, tls_reload_ms }: VaultOverrides = {},
): Promise<Vault> {
  const egress = parseEgress(config.egress);
  const log = createLog(config.log_level ?? LOG_LEVEL_DEFAULT, log_destination);
  const openedResources: AsyncDisposable[] = [];
  const closeOnStop = <T extends AsyncDisposable>(resource: T): T => {
    openedResources.unshift(resource);
    return resource;
  };
  try {
    const connections = { connections_max: config.database_connections };
    const db = closeOnStop(await openDatabase(config.databaseUrl, log, connections));
    await migrateAsOwner(config, db, log);
    checkKeyFiles(config, log);
    const kms = closeOnStop(await openKms(config.kms ?? { provider: 'file' }, config.dataDir));
    const baseDeps = { db, kms, clock, log, self: createVaultSelf(config) };
    await registerVault(baseDeps);
    const rootKeys = await openRootKeys(baseDeps);
    const keyWatch = closeOnStop(await startKeyWatch(baseDeps, announce_ms));
    const audit = closeOnStop(createAudit(baseDeps));
    const storeDeps = { ...baseDeps, rootKeys, keyWatch, audit, alarms: createAlarms(baseDeps) };
    const keys = {
      keks: createKeks(storeDeps),
      cvvEpochs: createCvvEpochs(storeDeps),
      fingerprints: createFingerprints(storeDeps),
      sealingKeys: createSealingKeys(storeDeps),
      auditKey: createAuditKey(storeDeps),
    };
    await keys.sealingKeys.verify();
    const walletKeys = createWalletKeys(storeDeps);
    const wallets = await openWallets({ walletKeys, audit }, config.wallets);
    await walletKeys.verify();
    const secretCache = createKeyCache<string>();
    const tombstones = createTombstones({ ...storeDeps, ...keys }, config.dataDir);
    await tombstones.apply();
    const limits = createLimits(storeDeps, { ...LIMITS_DEFAULT, ...config.limits });
    const { restarts = 0, requires_consent = false, sends_cards_to = [] } = config;
    const stores = { wallets, walletKeys, secretCache, tombstones };
    const refusals = createRefusals(storeDeps);
    if (requires_consent) await bindKnownLogins(storeDeps);
    const countPending = requires_consent ? createPendingCount(storeDeps) : undefined;
    const deps = {
      ...storeDeps,
      ...keys,
      ...stores,
      limits,
      refusals,
      restarts,
      countPending,
      sends_cards_to,
    };
    const sender = closeOnStop(createSender(clock, config.connections_max));
    const relay = createRelay({ ...deps, egress, requires_consent, sender });
    const rotator = createRotator(deps);
    closeOnStop(startSweeper(deps));
    closeOnStop(startSchedule(rotator, log));
    await listen(config, { ...deps, sender, rotator, tls_reload_ms }, relay, closeOnStop);
    log({ event: 'started' });
  } catch (error) {
    await closeAll(openedResources);
    throw error;
  }
  return {
    async [Symbol.asyncDispose]() {
      await closeAll(openedResources);
      log({ event: 'stopped' });
    },
  };
}

const UNKNOWN_PATH = 'A server called a path that this vault does not have.';

type ListenDeps = AdminDeps &
  Omit<RouteDeps, 'tls'> & { readonly tls_reload_ms: number | undefined };

/** Opens the sockets of operators and servers, and the listener with TLS, as configured. */
async function listen(
  config: VaultConfig,
  { tls_reload_ms: reload_ms, ...deps }: ListenDeps,
  relay: Relay,
  closeOnStop: (resource: AsyncDisposable) => void,
): Promise<void> {
  const { log, refusals } = deps;
  if (config.adminSocketPath) {
    const open = unixSocket(config.adminSocketPath, 'owner');
    closeOnStop(await serve(createAdminRoutes(deps), open, { log }));
  }
  const tls = config.tls && createTlsListener(config.tls, { ...deps, reload_ms });
  const routes = createRoutes({ ...deps, tls }, relay);
  const serving = { log, onUnknownPath: () => refusals.countCall('unknown_path', UNKNOWN_PATH) };
  if (config.socketPath) {
    const open = unixSocket(config.socketPath, config.socketMode ?? 'owner');
    closeOnStop(await serve(routes, open, serving));
  }
  if (tls) {
    closeOnStop({ [Symbol.asyncDispose]: async () => tls[Symbol.dispose]() });
    closeOnStop(await serve(routes, tls.open, serving));
  }
}

/** Without a login for migrations, that of the vault applies them where it may. */
async function migrateAsOwner(
  { databaseUrl, ownerDatabaseUrl }: VaultConfig,
  db: Database,
  log: Log,
): Promise<void> {
  if (!ownerDatabaseUrl) return migrate(db, log, { runs_on_newer: true });
  await using owner = await openDatabase(ownerDatabaseUrl, log);
  await migrate(owner, log, { grant_to: loginOf(databaseUrl), runs_on_newer: true });
}

/** Closes in reverse order of opening. */
async function closeAll(resources: AsyncDisposable[]): Promise<void> {
  for (const resource of resources.splice(0)) await resource[Symbol.asyncDispose]();
}
