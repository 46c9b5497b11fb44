import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { removalOf } from '../processor-accounts/removed-account.ts';
import { findProcessorAccount } from '../processor-accounts/sql.ts';

/** A dispute's processor account that is removed, so that nothing can be sent. */
interface RemovedAccount {
  readonly name: string;
  /** Sentence about the removal. */
  readonly why: string;
}

/** The dispute's processor account if it is removed. Read from the database. */
export async function findRemovedAccount(
  db: Db,
  { processor_account_id = null }: Row,
): Promise<RemovedAccount | undefined> {
  if (processor_account_id === null) return undefined;
  const account = await findProcessorAccount(db, processor_account_id);
  const why = account && removalOf(account, 'has the dispute');
  return why === undefined ? undefined : { name: account?.name as string, why };
}

/** Adds the next step of a merchant whose dispute's account is removed. */
const withNextStep = (why: string): string =>
  `${why} Answer in the processor's dashboard; the operator then closes the dispute.`;

/** Error for evidence or an answer that a removed account cannot send. */
export const accountRemoved = ({ why }: RemovedAccount): ProblemError =>
  problem('dispute_account_removed', withNextStep(why));

/** Why an answer that was queued before the removal ends. A part of it may have arrived. */
export const queuedAtRemoved = ({ name }: RemovedAccount): string =>
  withNextStep(
    `The processor account ${name} was removed before Florin knew that the whole answer had arrived. Look the dispute up at the processor.`,
  );
