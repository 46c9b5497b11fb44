import type { ClosingOutcome } from '@florin/contract/protocol/processor-command.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { insertEntry } from '../processor-accounts/sql.ts';
import { changeDispute } from './change.ts';
import { decideAcceptedByHand, decideClosed } from './decide-close.ts';

/** An outcome that an operator found at the processor. */
export interface Closing {
  readonly outcome: ClosingOutcome;
  readonly reason: string;
  /** Null: a command on the server itself. */
  readonly account_id: string | null;
}

/**
 * Closes a dispute with its payment and ledger, and audits it at the account. `services` are those of the dispute's
 * timeline. Returns false if a decision is stored already.
 */
export async function closeDispute(
  services: Services,
  tx: Db,
  dispute: Row,
  { outcome, reason, account_id }: Closing,
): Promise<boolean> {
  const now = services.clock.now();
  const key = keyOf(dispute);
  if (outcome === 'accepted') await changeDispute(services, tx, key, decideAcceptedByHand, now);
  let isClosed = false;
  const decide = (row: Row) => {
    const decision = decideClosed(row, outcome, now);
    isClosed = decision !== undefined;
    return decision;
  };
  await changeDispute(services, tx, key, decide, now);
  if (!isClosed) return false;
  const at = services.system_clock.now();
  await insertEntry(tx, {
    id: uuidv7(at),
    processor_account_id: dispute.processor_account_id as string,
    account_id,
    action: 'dispute_closed',
    details: JSON.stringify({ dispute: dispute.id, outcome, reason }),
    created_at: instantText(at),
  });
  return true;
}
