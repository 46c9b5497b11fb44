import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { findProcessorAccount } from '../processor-accounts/sql.ts';

/** Name of a dispute's processor account if it is removed, so that nothing can be sent. Read from the database. */
export async function findRemovedAccount(
  db: Db,
  { processor_account_id = null }: Row,
): Promise<string | undefined> {
  if (processor_account_id === null) return undefined;
  const account = await findProcessorAccount(db, processor_account_id);
  return account?.status === 'removed' ? (account.name as string) : undefined;
}

/** Next step of a merchant whose dispute's account is removed. */
const NEXT = "Answer in the processor's dashboard; the operator then closes the dispute.";

/** Error for evidence or an answer that a removed account cannot send. */
export const accountRemoved = (name: string): ProblemError =>
  problem(
    'invalid',
    `The processor account ${name}, which has the dispute, is removed. Florin can send nothing. ${NEXT}`,
  );

/** Why an answer that was queued before the removal ends. A part of it may have arrived. */
export const queuedAtRemoved = (name: string): string =>
  `The processor account ${name} was removed before Florin knew that the whole answer had arrived. Look the dispute up at the processor. ${NEXT}`;
