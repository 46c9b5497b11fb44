import { problem } from '@florin/contract/errors.ts';
import { disputeMachine } from '@florin/contract/machines/dispute.ts';
import type { ClosingOutcome } from '@florin/contract/protocol/processor-command.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Decision } from '../records/updater.ts';
import { decideOutcome } from './decide.ts';

/** Time without a change after which an account counts as silent about an answered dispute: thirty days. */
export const SILENT_SECONDS = 30 * 24 * 60 * 60;

/** Whether nobody will decide the dispute any more, so that an operator may. */
export type Closable = 'removed' | 'silent';

/**
 * Why an operator may close an undecided dispute: its account is removed, or silent since the answer. Throws 405 that
 * names the next step if the dispute is decided, or its account can still tell.
 */
export function requireClosable(dispute: Row, account: Row | undefined, now: Micros): Closable {
  const { status, processor_account_id, updated_at } = dispute;
  if (status === 'won' || status === 'lost')
    throw problem('invalid_state', `The dispute is ${status} already. Load the list again.`);
  if (processor_account_id == null)
    throw problem('invalid_state', 'The simulated card network decides this dispute.');
  if (account?.status === 'removed') return 'removed';
  const silent_from = microsOf(updated_at as string) + seconds(SILENT_SECONDS);
  if (status !== disputeMachine.initial && now >= silent_from) return 'silent';
  const next =
    status === disputeMachine.initial
      ? 'The merchant can still answer it.'
      : `Close it after ${instantText(silent_from)} if no notification arrives until then.`;
  throw problem(
    'invalid_state',
    `The account ${account?.name} can still tell the outcome. ${next}`,
  );
}

/** Accepts a dispute that nobody answered, without a message to the processor. Undefined in other states. */
export const decideAcceptedByHand = ({ status }: Row): Decision | undefined =>
  status === disputeMachine.initial
    ? { trigger: 'accept', set: { due_at: null }, events: ['updated'] }
    : undefined;

/** Records what the processor decided, through the same decision as its notification. An accepted dispute is lost. */
export const decideClosed = (
  dispute: Row,
  outcome: ClosingOutcome,
  now: Micros,
): Decision | undefined =>
  decideOutcome(dispute, { status: outcome === 'won' ? 'won' : 'lost' }, now);
