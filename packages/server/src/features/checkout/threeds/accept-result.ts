import type { Row } from '../../../platform/database/row.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import type { ChallengeOutcome, ResultMessage } from '../../../processors/port/directory.ts';
import { attachCard } from './attach-card.ts';
import { applyFinding, changeAuthentication, lockAuthentication } from './record.ts';
import type { AuthenticationKey } from './signed-references.ts';
import type { ThreeDSecure } from './threeds.ts';

/** Why a message is no result: label of the metric. */
export type ResultRefusal = 'address' | 'signature' | 'content' | 'replay';

/** Receipt of a result, or why it was refused. */
export type AcceptedResult = { readonly receipt: object } | { readonly refused: ResultRefusal };

const MICROS_PER_MILLI = 1_000;

/**
 * Records the directory server's signed message about a challenge and returns its receipt. Late,
 * repeated or foreign results get a receipt and decide nothing. A forged message, and one that arrived
 * before, is refused and stores nothing.
 */
export async function acceptBankResult(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
  message: ResultMessage,
): Promise<AcceptedResult> {
  const { services, signed_references } = threeds;
  const directory = services.processorOf(key.mode);
  const row = await findRow(services.db, 'authentications', key, key.id);
  if (!directory || !row) return { refused: 'address' };
  const sentAt = directory.sentAt(message, signed_references.resultsKeysOf(row));
  if (sentAt === undefined) return { refused: 'signature' };
  const outcome = directory.readOutcome(parseJson(message.body));
  if (outcome?.attempt_id !== key.id) return { refused: 'content' };
  const changedRow = await recordResult(threeds, key, outcome, sentAt * MICROS_PER_MILLI);
  if (!changedRow) return { refused: 'replay' };
  await attachAfterChallenge(services, changedRow);
  return { receipt: directory.receiptOf(outcome) };
}

/**
 * Records a result with the time of its delivery, in microseconds. Undefined if this delivery, or a
 * later one, was recorded before.
 */
async function recordResult(
  { services }: ThreeDSecure,
  key: AuthenticationKey,
  outcome: ChallengeOutcome,
  sentAt: number,
): Promise<Row | undefined> {
  const now = services.clock.now();
  const changedRow = await services.db.transaction(async (tx) => {
    const row = await lockAuthentication(tx, key);
    if (!row || (row.result_sent_at && microsOf(row.result_sent_at) >= sentAt)) return undefined;
    const set = { result_sent_at: instantText(sentAt) };
    const sentRow = await changeAuthentication(services, tx, row, now, { set });
    return applyFinding(services, tx, {
      row: sentRow,
      finding: { kind: 'challenge', outcome },
      now,
    });
  });
  services.wake.deliver.raise();
  return changedRow;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Attaches a card after its challenge. If attaching fails, the result stays stored, and the form's
 * next poll retries.
 */
async function attachAfterChallenge(services: ThreeDSecure['services'], row: Row): Promise<void> {
  await attachCard(services, row).catch((error: Error) => {
    const err = { message: error.message };
    services.logger.error(
      { authentication: row.id, err },
      'card not attached: the next poll of its form retries',
    );
  });
}
