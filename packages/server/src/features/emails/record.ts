import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
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
    ownerOf: ({ email }) => email.merchant_id as string,
  });

/**
 * Records outcomes of emails. Skips finished emails: another lease holder has recorded their
 * outcome.
 */
const recordEmailOutcomes = (
  services: OutcomeServices,
  outcomes: readonly EmailOutcome[],
): Promise<void> =>
  services.db.transaction(async (tx) => {
    const rows = await lockRows(
      tx,
      'letters',
      outcomes.map(({ email }) => keyOf(email)),
    );
    const openOutcomes = outcomes.flatMap(({ email, ...rest }) => {
      const lockedEmail = rows.get(keyText(email));
      return lockedEmail?.status === 'pending' ? [{ ...rest, email: lockedEmail }] : [];
    });
    await storeEmailOutcomes(services, tx, openOutcomes);
  });

/** Stores outcomes of pending emails that the transaction has locked. */
export async function storeEmailOutcomes(
  { catalog, clock }: Omit<OutcomeServices, 'db'>,
  tx: Db,
  outcomes: readonly EmailOutcome[],
): Promise<void> {
  const now = clock.now();
  const changes = outcomes.map(({ email: before, draft, outcome }) => {
    const { trigger, set } = decideEmail(before, outcome, now);
    return { before, trigger, set: { ...set, ...draft } };
  });
  await transition(tx, catalog, { table: 'letters', at: instantText(now) }, changes);
}
