import type { DestinationStream } from 'pino';
import { startSweeper } from './cards/sweeper.ts';
import { LOG_LEVEL_DEFAULT, parseEgress, type VaultConfig } from './config/config.ts';
import { createRoutes } from './http/routes.ts';
import { serve } from './http/server.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createLog } from './kernel/logger.ts';
import { createFingerprints } from './keys/fingerprints.ts';
import { createKeks } from './keys/keks.ts';
import { openFileKms } from './keys/root-key.ts';
import { createSealingKeys } from './keys/sealing-keys.ts';
import { createCvvUses } from './relay/cvv-uses.ts';
import { createRelay } from './relay/relay.ts';
import { createSender } from './relay/sender.ts';
import { openDatabase } from './store/db.ts';
import { migrate } from './store/migrate.ts';

/** What a test may put in the place of the machine's own. */
export interface VaultOverrides {
  readonly clock?: Clock;
  readonly log_destination?: DestinationStream;
}

export interface Vault extends AsyncDisposable {
  readonly socketPath: string;
}

/** Starts a vault; it serves once the promise resolves. Throws `StartupError`, and then holds nothing open. */
export async function createVault(
  config: VaultConfig,
  { clock = systemClock, log_destination }: VaultOverrides = {},
): Promise<Vault> {
  const { socketPath } = config;
  const egress = parseEgress(config.egress);
  const log = createLog(config.log_level ?? LOG_LEVEL_DEFAULT, log_destination);
  const opened: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(part: T): T => {
    opened.unshift(part);
    return part;
  };
  try {
    const db = keep(await openDatabase(config.databaseUrl, log));
    await migrate(db);
    const kms = await openFileKms(config.dataDir, db);
    const stores = { db, kms, clock, log };
    const keks = createKeks(stores);
    const uses = createCvvUses(stores);
    const relay = createRelay({ ...stores, keks, uses, egress, sender: keep(createSender()) });
    const keys = {
      fingerprints: createFingerprints(stores),
      sealingKeys: createSealingKeys(stores),
    };
    keep(startSweeper(stores));
    keep(await serve(createRoutes({ ...stores, ...keys, keks }, relay), socketPath, log));
    log({ event: 'started' });
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
  return {
    socketPath,
    async [Symbol.asyncDispose]() {
      await closeAll(opened);
      log({ event: 'stopped' });
    },
  };
}

/** Last opened, first closed. */
async function closeAll(parts: AsyncDisposable[]): Promise<void> {
  for (const part of parts.splice(0)) await part[Symbol.asyncDispose]();
}
