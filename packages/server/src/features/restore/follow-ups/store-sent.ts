import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf } from '../../../platform/database/row-key.ts';
import type { Services } from '../../../services.ts';
import type { StoredOutcomes } from '../../attempts/record-outcome.ts';
import { submitFollowUps } from '../../follow-ups/claim.ts';
import type { FollowUpOutcome } from '../../follow-ups/decide-outcome.ts';
import type { FollowUpKind } from '../../follow-ups/kinds.ts';
import { storeFollowUpOutcomes } from '../../follow-ups/record-outcome.ts';

/** Thrown if a payment cannot take a change. */
export class Refused extends Error {
  override name = 'Refused';
}

/**
 * Stores the attempt of a locked follow-up together with its outcome: alone, the attempt would be sent again after a
 * crash. Throws `Refused` if the payment cannot take it; the caller's transaction must then store nothing.
 */
export async function storeSent(
  services: Services,
  tx: Db,
  { kind, row }: { readonly kind: FollowUpKind; readonly row: Row },
  result: FollowUpOutcome,
): Promise<StoredOutcomes> {
  const [sent] = await submitFollowUps(services, kind, tx, [row], services.clock.now());
  if (!sent)
    throw new Refused(
      'the payment is disputed, or has too little left. Record the change in your own books',
    );
  return storeFollowUpOutcomes(services, kind, tx, [{ key: keyOf(sent), result }]);
}
