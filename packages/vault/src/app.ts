import type { DestinationStream } from 'pino';
import { createAlarms } from './audit/alarms.ts';
import { createAudit } from './audit/audit.ts';
import { startSweeper } from './cards/sweeper.ts';
import { LOG_LEVEL_DEFAULT, parseEgress, type VaultConfig } from './config/config.ts';
import { createAdminRoutes } from './http/admin-routes.ts';
import { createRoutes } from './http/routes.ts';
import { serve } from './http/server.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createLog } from './kernel/logger.ts';
import { createAuditKey } from './keys/audit-key.ts';
import { createCvvEpochs } from './keys/cvv-epochs.ts';
import { createFingerprints } from './keys/fingerprints.ts';
import { createKeks } from './keys/keks.ts';
import { startKeyWatch } from './keys/key-watch.ts';
import { openKms } from './keys/kms/open-kms.ts';
import { openRootKeys } from './keys/root-keys.ts';
import { createSealingKeys } from './keys/sealing-keys.ts';
import { registerVault, vaultSelf } from './keys/vaults.ts';
import { createWalletKeys } from './keys/wallet-keys.ts';
import { createRelay } from './relay/relay.ts';
import { createSender } from './relay/sender.ts';
import { createRotator } from './rotation/rotator.ts';
import { startSchedule } from './rotation/schedule.ts';
import { openDatabase } from './store/db.ts';
import { migrate } from './store/migrate.ts';
import { openWallets } from './wallets/wallets.ts';

/** Replacements that tests inject. */
export interface VaultOverrides {
  readonly clock?: Clock;
  readonly log_destination?: DestinationStream;
  /** Interval in which a vault announces its root key versions. */
  readonly announce_ms?: number;
}

export interface Vault extends AsyncDisposable {
  readonly socketPath: string;
}

/**
 * Starts a vault, which serves when the promise resolves. Throws `StartupError` after closing everything it
 * opened.
 */
export async function createVault(
  config: VaultConfig,
  { clock = systemClock, log_destination, announce_ms }: VaultOverrides = {},
): Promise<Vault> {
  const { socketPath } = config;
  const egress = parseEgress(config.egress);
  const log = createLog(config.log_level ?? LOG_LEVEL_DEFAULT, log_destination);
  const openedParts: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(part: T): T => {
    openedParts.unshift(part);
    return part;
  };
  try {
    const db = keep(await openDatabase(config.databaseUrl, log));
    await migrate(db, log);
    const kms = keep(await openKms(config.kms ?? { provider: 'file' }, config.dataDir));
    const base = { db, kms, clock, log, self: vaultSelf(config) };
    await registerVault(base);
    const rootKeys = await openRootKeys(base);
    const keyWatch = keep(await startKeyWatch(base, announce_ms));
    const audit = keep(createAudit(base));
    const stores = { ...base, rootKeys, keyWatch, audit, alarms: createAlarms(base) };
    const keys = {
      keks: createKeks(stores),
      cvvEpochs: createCvvEpochs(stores),
      fingerprints: createFingerprints(stores),
      sealingKeys: createSealingKeys(stores),
      auditKey: createAuditKey(stores),
    };
    const walletKeys = createWalletKeys(stores);
    const wallets = await openWallets({ walletKeys, audit }, config.wallets);
    const deps = { ...stores, ...keys, wallets };
    const relay = createRelay({ ...deps, egress, sender: keep(createSender(clock)) });
    const rotator = createRotator(deps);
    keep(startSweeper(deps));
    keep(startSchedule(rotator, log));
    if (config.adminSocketPath) {
      keep(await serve(createAdminRoutes({ ...deps, rotator }), config.adminSocketPath, log));
    }
    keep(await serve(createRoutes(deps, relay), socketPath, log));
    log({ event: 'started' });
  } catch (error) {
    await closeAll(openedParts);
    throw error;
  }
  return {
    socketPath,
    async [Symbol.asyncDispose]() {
      await closeAll(openedParts);
      log({ event: 'stopped' });
    },
  };
}

/** Closes in reverse order of opening. */
async function closeAll(parts: AsyncDisposable[]): Promise<void> {
  for (const part of parts.splice(0)) await part[Symbol.asyncDispose]();
}
