import { SEALED_PREFIX } from '../../../platform/crypto/sealer.ts';
import type { Services } from '../../../services.ts';
import { newestSecrets, secretsWithout, storeSealedSecrets } from '../sql/secrets.ts';
import { opensSecret, sealedSecret } from './secrets.ts';

/** Secrets per statement. */
const SEAL_BATCH_MAX = 500;
/** Number of secrets that a start tests: enough to detect a missing key. */
const TRIED_MAX = 100;

/**
 * Seals secrets that an earlier version stored in plain text. If this server's keys cannot decrypt the stored secrets,
 * logs an error and resolves with advice. All other functions work without these secrets.
 */
export async function sealPlainSecrets(
  services: Pick<Services, 'db' | 'sealer' | 'logger'>,
): Promise<string | undefined> {
  const { db, sealer, logger } = services;
  for (;;) {
    const plainSecrets = await secretsWithout(db, SEALED_PREFIX, SEAL_BATCH_MAX);
    await storeSealedSecrets(
      db,
      plainSecrets.map((row) => ({
        row,
        secret_key: sealedSecret(sealer, row, row.secret_key as string),
      })),
    );
    if (plainSecrets.length < SEAL_BATCH_MAX) break;
  }
  const sampledSecrets = await newestSecrets(db, TRIED_MAX);
  const unreadable = sampledSecrets.filter((row) => !opensSecret(sealer, row)).length;
  if (unreadable === 0) return undefined;
  logger.error({ unreadable, tried: sampledSecrets.length }, LOST_KEY);
  return LOST_KEY;
}

const LOST_KEY =
  "webhook secrets cannot be decrypted: restore this database's secrets.key or FLORIN_SECRETS_KEY. If it is lost, rotate each subscription's secret (rotate_secret); it gets no deliveries until then";
