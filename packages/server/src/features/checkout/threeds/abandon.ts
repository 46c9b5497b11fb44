import { ABANDONED, type VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { violatedConstraint } from '../../../platform/database/wire/constraints.ts';
import type { Services } from '../../../services.ts';
import { findMounted } from '../mounted.ts';
import type { MountSession } from '../session.ts';
import { answerOf, refusedAnswer } from './answer.ts';
import { isUnattached } from './attach-card.ts';
import { createAuthenticationRow, findAttempt } from './begin.ts';
import { answerForm, findOwnAuthentication } from './challenge.ts';
import { clearedColumns } from './decide.ts';
import { applyFinding, changeAuthentication, lockAuthentication } from './record.ts';
import type { AuthenticationKey } from './signed-references.ts';
import type { ThreeDSecure } from './threeds.ts';

/**
 * Maximum number of tries. An authentication may begin between its lookup and its abandonment; then
 * the lookup is repeated.
 */
const TRIES_MAX = 2;

/**
 * Abandons a form's attempt, so that its card is not attached. An attempt that arrives later does
 * not begin. Returns the outcome if the card is already attached or the attempt has failed.
 */
export async function abandonAttempt(
  threeds: ThreeDSecure,
  session: MountSession,
  attempt: string,
): Promise<VerifyAnswer> {
  const { services } = threeds;
  for (let attempts = 1; ; attempts++) {
    try {
      const storedAttempt = await findAttempt(services.db, session, attempt);
      const row = storedAttempt
        ? await abandonAuthentication(services, keyOf(session, storedAttempt))
        : await storeAbandonedAttempt(services, session, attempt);
      const answer = row && (await answerOf(threeds, session.scope, row));
      return answer ?? refusedAnswer('payment_closed');
    } catch (error) {
      if (attempts >= TRIES_MAX || violatedConstraint(error) !== 'authentications_attempt')
        throw error;
    }
  }
}

/** Abandons an open challenge that another form continues. */
export async function abandonChallenge(
  threeds: ThreeDSecure,
  session: MountSession,
  handle: string,
): Promise<VerifyAnswer | undefined> {
  const authentication = await findOwnAuthentication(threeds, session, handle);
  if (!authentication) return undefined;
  await abandonAuthentication(threeds.services, keyOf(session, authentication));
  return answerForm(threeds, session, handle);
}

const keyOf = ({ scope }: MountSession, { id }: Row): AuthenticationKey => ({
  ...scope,
  id: id as string,
});

/**
 * Abandons an authentication under its row lock. If the attachment has the lock first, the card
 * stays attached.
 */
async function abandonAuthentication(
  services: Services,
  key: AuthenticationKey,
): Promise<Row | undefined> {
  const changedRow = await services.db.transaction(async (tx) => {
    const row = await lockAuthentication(tx, key);
    return row && abandonLocked(services, tx, row);
  });
  services.wake.deliver.raise();
  return changedRow;
}

function abandonLocked(services: Services, tx: Db, row: Row): Promise<Row> {
  const now = services.clock.now();
  if (!isUnattached(row))
    return applyFinding(services, tx, { row, finding: { kind: 'abandonment' }, now });
  const set = { failure_code: ABANDONED, ...clearedColumns };
  return changeAuthentication(services, tx, row, now, { set });
}

async function storeAbandonedAttempt(
  { db, catalog, clock }: Services,
  session: MountSession,
  attempt: string,
): Promise<Row | undefined> {
  const mountedRecord = await findMounted(db, session.scope, session.payment_id);
  if (!mountedRecord) return undefined;
  const row: Row = {
    ...createAuthenticationRow(session, mountedRecord.table, clock.now()),
    attempt,
    status: 'abandoned',
    failure_code: ABANDONED,
  };
  await insertRows(db, catalog, 'authentications', [row]);
  return row;
}
