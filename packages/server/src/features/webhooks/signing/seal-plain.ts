import { SEALED_PREFIX } from '../../../platform/crypto/sealer.ts';
import type { Services } from '../../../services.ts';
import { newestSecrets, secretsWithout, storeReformed } from '../sql/secrets.ts';
import { opensSecret, sealedSecret } from './secrets.ts';

/** Secrets that one statement seals. */
const SEAL_BATCH_MAX = 500;
/** Secrets that are tested at start: enough to detect a missing key. */
const TRIED_MAX = 100;

/**
 * Seals secrets that an earlier version stored in plain text. If this server's keys do not open the
 * sealed ones, logs an error and resolves with advice; everything else works without them.
 */
export async function sealPlainSecrets(
  services: Pick<Services, 'db' | 'sealer' | 'logger'>,
): Promise<string | undefined> {
  const { db, sealer, logger } = services;
  for (;;) {
    const plain = await secretsWithout(db, SEALED_PREFIX, SEAL_BATCH_MAX);
    await storeReformed(
      db,
      plain.map((row) => ({
        row,
        secret_key: sealedSecret(sealer, row, row.secret_key as string),
      })),
    );
    if (plain.length < SEAL_BATCH_MAX) break;
  }
  const tried = await newestSecrets(db, TRIED_MAX);
  const unreadable = tried.filter((row) => !opensSecret(sealer, row)).length;
  if (unreadable === 0) return undefined;
  logger.error({ unreadable, tried: tried.length }, LOST_KEY);
  return LOST_KEY;
}

const LOST_KEY =
  'Webhook secrets cannot be opened: put the secrets.key or FLORIN_SECRETS_KEY back that this database was used with. Where it is lost, have each webhook subscription rotate_secret; until then it is sent nothing.';
