import { problem } from '@florin/contract/errors.ts';
import type { ClosingOutcome } from '@florin/contract/protocol/processor-command.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { closeDispute } from '../disputes/close.ts';
import { requireClosable } from '../disputes/decide-close.ts';
import { findProcessorAccount } from '../processor-accounts/sql.ts';
import { timelineOfRow } from '../timelines/timeline-of.ts';
import { type OperatorAction, runOperatorAction } from './operator-actions.ts';

/** A dispute, with the outcome that an operator found at its processor. */
export interface FoundDispute extends Scope {
  readonly id: string;
  readonly outcome: ClosingOutcome;
}

/**
 * Closes a dispute whose account is removed or silent, and audits the operator's reason at merchant and account. Throws
 * 404 for an unknown dispute, and 405 if it is decided or its account can still tell.
 */
export async function closeDisputeByHand(
  services: Services,
  operatorAction: OperatorAction,
  { id, outcome, ...scope }: FoundDispute,
): Promise<void> {
  const details = { dispute: id, outcome };
  const audited = { kind: 'close_dispute', mode: scope.mode, details } as const;
  await runOperatorAction(services, operatorAction, audited, async ({ tx }) => {
    const dispute = await findRow(tx, 'disputes', scope, id);
    if (!dispute) throw notFound();
    const { processor_account_id } = dispute;
    const account = await findProcessorAccount(tx, processor_account_id ?? null);
    const timeline = await timelineOfRow(services, scope, 'disputes', dispute);
    requireClosable(dispute, account, timeline.clock.now());
    const { reason, account_id } = operatorAction;
    if (!(await closeDispute(timeline, tx, dispute, { outcome, reason, account_id })))
      throw problem('invalid_state', 'The dispute is decided already. Load the list again.');
  });
  services.wake.deliver.raise();
}
