import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Scope, scopeText } from '../../../platform/database/scope.ts';
import { tryShareMerchantStatus } from '../../merchants/sql/enforcement-actions.ts';
import { hasPlatformLimits } from '../../risk/assess.ts';
import { tryLockCards } from '../../risk/sql.ts';
import { type ProcessFacts, reasonToWait, type StoredFacts } from './decide-submission.ts';
import { type SubmitterFacts, submitterFactsOf } from './sql.ts';

/** Payments that may be submitted, with the fee plans of their merchants. */
export interface FreePayments extends Pick<SubmitterFacts, 'fees'> {
  readonly payments: readonly Row[];
}

/**
 * New payments that may be submitted by what the database says. Takes the locks of a claim until the transaction ends,
 * but waits for none: requests do not wait for operators' actions.
 */
export async function freePayments(
  tx: Db,
  payments: readonly Row[],
  process: ReadonlyMap<Row, ProcessFacts>,
): Promise<FreePayments> {
  const merchants = [...new Set(payments.map(({ merchant_id }) => merchant_id as string))];
  const shared = await tryShareMerchantStatus(tx, merchants);
  // After the locks, so that the statement sees what was committed before them.
  const { restrictions, fees } = await submitterFactsOf(tx, merchants);
  const locked = await tryLockCards(tx, payments.filter(isCounted));
  const factsOf = (payment: Row): StoredFacts => ({
    status_shared: shared.has(payment.merchant_id as string),
    stopped: false,
    limited: false,
    ...restrictions.get(scopeText(payment)),
    card_locked: !isCounted(payment) || locked.has(payment.id as string),
  });
  const free = payments.filter(
    (payment) => !reasonToWait(payment, process.get(payment) as ProcessFacts, factsOf(payment)),
  );
  return { payments: free, fees };
}

/** Whether limits of the platform count the payments of the card. */
const isCounted = ({ mode }: Row): boolean => hasPlatformLimits(mode as Scope['mode']);
