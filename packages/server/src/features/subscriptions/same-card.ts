import { isDeclineCode } from '@florin/contract/decline-codes.ts';
import { isCardRefused } from '@florin/contract/dunning.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';

/** A failed charge with the payment method for its retry. */
interface Retrial {
  readonly charge: Row;
  readonly payment_method_id: string | null | undefined;
}

/**
 * Retries that use another payment method with the same card, which its issuer declined
 * permanently. Each entry in a card form creates a new payment method.
 */
export async function withSameCard<One extends Retrial>(
  db: Db,
  retrials: readonly One[],
): Promise<ReadonlySet<One>> {
  const uncertainRetrials = retrials.filter(isUncertain);
  if (uncertainRetrials.length === 0) return new Set();
  const keys = uncertainRetrials.flatMap((retrial) => methodsOf(retrial));
  const methods = await findRowsByKey(db, 'payment_methods', keys, [
    'merchant_id',
    'id',
    'card_fingerprint',
  ]);
  const fingerprints = new Map(methods.map((row) => [keyText(row), row.card_fingerprint]));
  return new Set(
    uncertainRetrials.filter((retrial) => {
      const [declinedCard, retryCard] = methodsOf(retrial).map((key) =>
        fingerprints.get(keyText(key)),
      );
      return declinedCard != null && declinedCard === retryCard;
    }),
  );
}

const isUncertain = ({ charge, payment_method_id }: Retrial): boolean => {
  const reason = charge.failure_reason ?? '';
  const isOther = payment_method_id != null && payment_method_id !== charge.payment_method_id;
  return isOther && isDeclineCode(reason) && isCardRefused(reason);
};

const methodsOf = ({ charge, payment_method_id }: Retrial): RowKey[] =>
  [charge.payment_method_id, payment_method_id].map((id) => ({
    merchant_id: charge.merchant_id as string,
    id: id as string,
  }));
