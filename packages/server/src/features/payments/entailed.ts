import type { Services } from '../../services.ts';
import { postPayments } from '../ledger/post.ts';
import { countUses } from '../payment-links/uses.ts';
import type { Also } from '../records/updater.ts';
import { followCharges } from '../subscriptions/follow.ts';
import { writeReceipts } from '../subscriptions/receipts.ts';
import { reverseGivenUp } from './hold.ts';

/** What changes of payments entail in the same transaction: for their holds, subscriptions, links, receipts and the ledger. */
export const entailedByPayments =
  (services: Services): Also =>
  async (tx, changed, now) => {
    await reverseGivenUp(services, tx, changed, now);
    await followCharges(services, tx, changed, now);
    await countUses(services, tx, changed, now);
    await postPayments(services, tx, changed, now);
    await writeReceipts(services, tx, changed, now);
  };
