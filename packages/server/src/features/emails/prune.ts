import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { pruneEmailsOfTimelines, pruneEmailsUntil } from './sql.ts';

type PruneServices = Pick<Services, 'db' | 'clock'> & {
  readonly config: Pick<Services['config'], 'email_retention_days'>;
};

/**
 * Prunes emails past their retention. Sandbox emails follow their customer's clock. Runs two statements of at most
 * `limit` rows and returns the larger count. Unsent emails are sent or fail first.
 */
export async function pruneEmails(
  { db, clock, config }: PruneServices,
  limit: number,
): Promise<number> {
  const until = instantText(clock.now() - seconds(config.email_retention_days * 86_400));
  return Math.max(
    await pruneEmailsUntil(db, until, limit),
    await pruneEmailsOfTimelines(db, until, limit),
  );
}
