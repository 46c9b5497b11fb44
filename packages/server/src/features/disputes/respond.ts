import { disputeMachine } from '@florin/contract/machines/dispute.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { sendPlain } from '../../processors/wire/send-plain.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { claimEach } from '../records/claim-each.ts';
import { answerDispute } from './answer-dispute.ts';
import { changeDispute } from './change.ts';
import { evidenceOf, lapseDecision } from './decide.ts';

const RESPOND_BATCH_MAX = 50;
/** Seconds before an unacknowledged response is sent again. */
const LEASE_SECONDS = 30;

/**
 * Sends merchants' responses of a mode until the processor acknowledges them. Accepts disputes
 * whose time for evidence has ended.
 */
export async function respondDue(services: Services, mode: Mode): Promise<boolean> {
  const claimedCount = await claimEach(services, {
    table: 'disputes',
    mode,
    limit: RESPOND_BATCH_MAX,
    lease_s: LEASE_SECONDS,
    failed: 'response to a dispute not sent: retried after its lease',
    work: (row) => respondTo(services, row),
  });
  return claimedCount > 0;
}

async function respondTo(services: Services, dispute: Row): Promise<void> {
  if (dispute.status === disputeMachine.initial) await lapseDispute(services, dispute);
  else if (dispute.processor_account_id) await answerDispute(services, dispute);
  else if (await isAcknowledged(services, dispute)) await clearDueTime(services, dispute);
}

const lapseDispute = (services: Services, dispute: Row): Promise<void> =>
  services.db.transaction((tx) => {
    const now = services.clock.now();
    const decide = (row: Row) =>
      row.status === disputeMachine.initial ? lapseDecision(row, now) : undefined;
    return changeDispute(services, tx, keyOf(dispute), decide, now);
  });

async function isAcknowledged(services: Services, dispute: Row): Promise<boolean> {
  const processor = processorOfRow(services, dispute);
  if (!processor?.disputes) return false;
  const { respond } = processor.disputes;
  const reference = dispute.reference as string;
  const request = respond.mapRequest({
    reference,
    ...(dispute.status === 'under_review' && {
      evidence: evidenceOf(dispute),
      files: Number(dispute.files_count),
    }),
  });
  return respond.mapAnswer(await sendPlain(request), reference).result === 'acknowledged';
}

/**
 * Clears the due time after the processor's acknowledgement. The issuer's decision arrives later,
 * as a notification.
 */
const clearDueTime = (services: Services, dispute: Row): Promise<void> =>
  services.db.transaction((tx) => {
    const clearDue = () => ({ set: { due_at: null }, events: [] });
    return changeDispute(services, tx, keyOf(dispute), clearDue, services.clock.now());
  });
