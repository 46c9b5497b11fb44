import type { ClosingOutcome } from '@florin/contract/protocol/processor-command.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { timelineOfRow } from '../timelines/timeline-of.ts';
import { closeDispute } from './close.ts';
import { deferClosing, deleteClosing, listClosings } from './sql/closings.ts';

/** Closings of commands per round. */
const BATCH_MAX = 20;
/** Time until a failed closing is tried again. */
const CLOSING_RETRY_SECONDS = 60;

/** Closes disputes of a mode that commands on the server asked for. Returns whether more may wait. */
export async function closeRequested(services: Services, mode: Mode): Promise<boolean> {
  const tried_before = instantText(services.system_clock.now() - seconds(CLOSING_RETRY_SECONDS));
  const closings = await listClosings(services.db, mode, { tried_before, limit: BATCH_MAX });
  let count = 0;
  for (const closing of closings) if (await hasEnded(services, closing)) count += 1;
  if (count > 0) services.wake.deliver.raise();
  return count === BATCH_MAX;
}

/** A failed closing is tried again later, and does not hold up the others. */
async function hasEnded(services: Services, closing: Row): Promise<boolean> {
  try {
    await closeOne(services, closing);
    return true;
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ dispute: closing.id, err }, 'dispute not closed: tried again');
    await deferClosing(services.db, closing, instantText(services.system_clock.now()));
    return false;
  }
}

/** Another process may have closed it meanwhile, or the dispute is decided or gone: then the request ends. */
async function closeOne(services: Services, closing: Row): Promise<void> {
  const scope = scopeOf(closing);
  const dispute = await findRow(services.db, 'disputes', scope, closing.id as string);
  const timeline = dispute && (await timelineOfRow(services, scope, 'disputes', dispute));
  const isClosed = await services.db.transaction(async (tx) => {
    if (!(await deleteClosing(tx, closing)) || !dispute || !timeline) return false;
    const { outcome, reason } = closing;
    return closeDispute(timeline, tx, dispute, {
      outcome: outcome as ClosingOutcome,
      reason: reason as string,
      account_id: null,
    });
  });
  if (!isClosed)
    services.logger.warn({ dispute: closing.id }, 'dispute not closed: decided already');
}
