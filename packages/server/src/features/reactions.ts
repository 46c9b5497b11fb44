import type { Reactions } from '../services.ts';
import { captureAutomatically } from './captures/automatic.ts';
import { countDeclines } from './checkout/count-declines.ts';
import { postPayments } from './ledger/post.ts';
import { countUses } from './payment-links/uses.ts';
import { reverseGivenUp } from './payments/hold.ts';
import { followCharges } from './subscriptions/billing/follow.ts';
import { writeReceipts } from './subscriptions/receipts.ts';

/**
 * Reactions in the order of row locks: payments, subscriptions, links. Automatic captures change payments again. Counts
 * of declines are last: payments of one address wait for each other there, and must hold all other locks already.
 */
export const reactions: Reactions = {
  afterPaymentChange: [
    reverseGivenUp,
    followCharges,
    countUses,
    postPayments,
    writeReceipts,
    captureAutomatically,
    countDeclines,
  ],
};
