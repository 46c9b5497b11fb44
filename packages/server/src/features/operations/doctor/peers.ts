import type { VaultsConfig } from '@florin/contract/tls/vault-address.ts';
import { clockNotes } from '../../../http/health/clocks-metric.ts';
import { vaultCertificates, vaultNotes } from '../../../http/health/vault-health.ts';
import { databaseNow } from '../../../platform/database/database-now.ts';
import type { Database } from '../../../platform/database/db.ts';
import type { Logger } from '../../../platform/logger.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { type ClockWatch, startClockWatch } from '../../../platform/time/clock-watch.ts';
import { createVaultWatch } from '../../../processors/wire/vault-watch.ts';
import { openVaults, type Vaults } from '../../../processors/wire/vaults.ts';
import type { DoctorFacts } from './decide.ts';

type PeerFacts = Pick<DoctorFacts, 'vault_notes' | 'clock_notes' | 'certificates'>;

export interface PeerPlace {
  readonly vaults: VaultsConfig;
  readonly logger: Logger;
}

/** Compares the clocks of database and vault with this host's, and asks the vault for its health. */
export async function readPeerFacts(db: Database, place: PeerPlace): Promise<PeerFacts> {
  await using clocks = await startClockWatch({
    clock: systemClock(),
    logger: place.logger,
    databaseTime: () => databaseNow(db),
  });
  const ofVault = await vaultFacts(place, clocks);
  return { ...ofVault, clock_notes: clockNotes(clocks) };
}

/** Unusable certificates of this host, such as expired ones, are a finding too. */
async function vaultFacts(
  { vaults: config, logger }: PeerPlace,
  clocks: ClockWatch,
): Promise<Omit<PeerFacts, 'clock_notes'>> {
  const opened = tryToOpen(config);
  if (typeof opened === 'string') return { vault_notes: [opened], certificates: [] };
  await using vaults = opened;
  await using vault = await createVaultWatch({
    vaults,
    clock: systemClock(),
    clocks,
    logger,
    onUp() {},
  });
  const certificates = vaultCertificates(vault).map(({ certificate, expires_at }) => ({
    name: certificate === 'server' ? 'this server for vaults' : `the vault at ${certificate}`,
    expires_at,
    runbook: 'a-certificate-of-the-vault-ends-soon',
  }));
  return { vault_notes: vaultNotes(vault, true), certificates };
}

function tryToOpen(config: VaultsConfig): Vaults | string {
  try {
    return openVaults(config);
  } catch (error) {
    return (error as Error).message;
  }
}
