import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { pruneLettersAhead, pruneLettersUntil } from './sql.ts';

type Forgetting = Pick<Services, 'db' | 'clock'> & {
  readonly config: Pick<Services['config'], 'letters_days'>;
};

/**
 * Prunes emails past their retention, sandbox emails by their customer's clock, in two statements
 * of at most `limit` each. Unsent emails are tried or given up first. Returns the greater count.
 */
export async function pruneLetters(
  { db, clock, config }: Forgetting,
  limit: number,
): Promise<number> {
  const until = instantText(clock.now() - seconds(config.letters_days * 86_400));
  return Math.max(
    await pruneLettersUntil(db, until, limit),
    await pruneLettersAhead(db, until, limit),
  );
}
