import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import type { Outcome } from '../../platform/emails/mailer.ts';
import type { Draft } from '../../platform/emails/parts.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { decideEmail } from './decide.ts';

/** A rendered email with its outcome. */
export interface EmailOutcome {
  readonly email: Row;
  readonly draft: Draft | undefined;
  readonly outcome: Outcome;
}

type OutcomeServices = Pick<Services, 'db' | 'catalog' | 'clock'>;

/**
 * Creates a recorder of emails' outcomes. Outcomes that arrive concurrently share a transaction.
 */
export const createEmailOutcomeRecorder = (
  services: OutcomeServices,
): ((emailOutcome: EmailOutcome) => Promise<void>) =>
  createBatcher({
    run: async (emailOutcomes: readonly EmailOutcome[]) => {
      await recordEmailOutcomes(services, emailOutcomes);
      return emailOutcomes.map(() => undefined);
    },
    keyOf: ({ email }) => keyText(email),
  });

/**
 * Records outcomes of emails. Skips finished emails: another lease holder has recorded their
 * outcome.
 */
export const recordEmailOutcomes = (
  { db, catalog, clock }: OutcomeServices,
  outcomes: readonly EmailOutcome[],
): Promise<void> =>
  db.transaction(async (tx) => {
    const rows = await lockRows(
      tx,
      'letters',
      outcomes.map(({ email }) => keyOf(email)),
    );
    const now = clock.now();
    const changes = outcomes.flatMap(({ email, draft, outcome }) => {
      const before = rows.get(keyText(email));
      if (before?.status !== 'pending') return [];
      const { trigger, set } = decideEmail(before, outcome, now);
      return [{ before, trigger, set: { ...set, ...draft } }];
    });
    await transition(tx, catalog, { table: 'letters', at: instantText(now) }, changes);
  });
