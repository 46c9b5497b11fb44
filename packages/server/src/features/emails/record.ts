import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import type { Outcome } from '../../platform/emails/mailer.ts';
import type { Draft } from '../../platform/emails/parts.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { decideLetter } from './decide.ts';

/** A rendered email, and its outcome. */
export interface Concluded {
  readonly letter: Row;
  readonly draft: Draft | undefined;
  readonly outcome: Outcome;
}

type ConcluderServices = Pick<Services, 'db' | 'catalog' | 'clock'>;

/** Stores outcomes of emails; concurrent ones share a transaction. */
export const createConcluder = (
  services: ConcluderServices,
): ((concluded: Concluded) => Promise<void>) =>
  createBatcher({
    run: async (all: readonly Concluded[]) => {
      await concludeAll(services, all);
      return all.map(() => undefined);
    },
    keyOf: ({ letter }) => keyText(letter),
  });

/**
 * Stores outcomes of emails, except finished ones, whose outcome another lease holder has stored.
 */
export const concludeAll = (
  { db, catalog, clock }: ConcluderServices,
  all: readonly Concluded[],
): Promise<void> =>
  db.transaction(async (tx) => {
    const rows = await lockRows(
      tx,
      'letters',
      all.map(({ letter }) => keyOf(letter)),
    );
    const now = clock.now();
    const changes = all.flatMap(({ letter, draft, outcome }) => {
      const before = rows.get(keyText(letter));
      if (before?.status !== 'pending') return [];
      const { trigger, set } = decideLetter(before, outcome, now);
      return [{ before, trigger, set: { ...set, ...draft } }];
    });
    await transition(tx, catalog, { table: 'letters', at: instantText(now) }, changes);
  });
