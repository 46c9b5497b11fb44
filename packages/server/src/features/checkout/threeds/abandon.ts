import { ABANDONED, type VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { violatedConstraint } from '../../../platform/database/constraints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import type { Services } from '../../../services.ts';
import { findMounted } from '../mounted.ts';
import type { MountSession } from '../session.ts';
import { answerOf, refusal } from './answer.ts';
import { isUnattached } from './attach-card.ts';
import { findAttempt, newAuthentication } from './begin.ts';
import { formAnswer, ownAuthentication } from './challenge.ts';
import { cleared } from './decide.ts';
import type { AuthenticationKey } from './handles.ts';
import { applyFinding, changeAuthentication, lockAuthentication } from './record.ts';
import type { ThreeDSecure } from './threeds.ts';

/** An attempt may be begun between the look for it and its abandonment, which is then looked for again. */
const TRIES_MAX = 2;

/**
 * Abandons an attempt of a form: its card is not put on the payment any more. One that has not come yet is not begun
 * when it comes. Where its card is on the payment already, or it has failed, that is the answer.
 */
export async function abandonAttempt(
  threeds: ThreeDSecure,
  session: MountSession,
  attempt: string,
): Promise<VerifyAnswer> {
  const { services } = threeds;
  for (let tries = 1; ; tries++) {
    try {
      const known = await findAttempt(services.db, session, attempt);
      const row = known
        ? await giveUp(services, keyOf(session, known))
        : await keepFromBeginning(services, session, attempt);
      const answer = row && (await answerOf(threeds, session.scope, row));
      return answer ?? refusal('payment_closed');
    } catch (error) {
      if (tries >= TRIES_MAX || violatedConstraint(error) !== 'authentications_attempt')
        throw error;
    }
  }
}

/** The same of a challenge that was left open and is gone through in another form. */
export async function abandonChallenge(
  threeds: ThreeDSecure,
  session: MountSession,
  handle: string,
): Promise<VerifyAnswer | undefined> {
  const own = await ownAuthentication(threeds, session, handle);
  if (!own) return undefined;
  await giveUp(threeds.services, keyOf(session, own));
  return formAnswer(threeds, session, handle);
}

const keyOf = ({ scope }: MountSession, { id }: Row): AuthenticationKey => ({
  ...scope,
  id: id as string,
});

/** Whether the card is put on the payment is decided by who locks the authentication first. */
async function giveUp(services: Services, key: AuthenticationKey): Promise<Row | undefined> {
  const after = await services.db.transaction(async (tx) => {
    const row = await lockAuthentication(tx, key);
    return row && giveUpLocked(services, tx, row);
  });
  services.wake.deliver.raise();
  return after;
}

function giveUpLocked(services: Services, tx: Db, row: Row): Promise<Row> {
  const now = services.clock.now();
  if (!isUnattached(row))
    return applyFinding(services, tx, { row, finding: { of: 'abandonment' }, now });
  const set = { failure_code: ABANDONED, ...cleared };
  return changeAuthentication(services, tx, row, now, { set });
}

async function keepFromBeginning(
  { db, catalog, clock }: Services,
  session: MountSession,
  attempt: string,
): Promise<Row | undefined> {
  const mounted = await findMounted(db, session.scope, session.payment_id);
  if (!mounted) return undefined;
  const row: Row = {
    ...newAuthentication(session, mounted.table, clock.now()),
    attempt,
    status: 'abandoned',
    failure_code: ABANDONED,
  };
  await insertRows(db, catalog, 'authentications', [row]);
  return row;
}
