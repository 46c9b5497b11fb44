import type { Services } from '../../../services.ts';
import { newestSecrets } from '../sql/secrets.ts';
import { opensSecret } from './secrets.ts';

/** Number of secrets that a start tests: enough to detect a missing key. */
const TRIED_MAX = 100;

/**
 * If this server's keys cannot decrypt the stored secrets, logs an error and resolves with advice. All other functions
 * work without these secrets.
 */
export async function findLostKey({
  db,
  sealer,
  logger,
}: Pick<Services, 'db' | 'sealer' | 'logger'>): Promise<string | undefined> {
  const sampledSecrets = await newestSecrets(db, TRIED_MAX);
  const unreadable = sampledSecrets.filter((row) => !opensSecret(sealer, row)).length;
  if (unreadable === 0) return undefined;
  logger.error({ unreadable, tried: sampledSecrets.length }, LOST_KEY);
  return LOST_KEY;
}

const LOST_KEY =
  "webhook secrets cannot be decrypted: restore this database's secrets.key or FLORIN_SECRETS_KEY. If it is lost, rotate each subscription's secret (rotate_secret); it gets no deliveries until then";
