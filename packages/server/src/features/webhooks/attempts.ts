import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { Attempt } from './delivery.ts';
import { pruneAttemptsUntil } from './sql/attempts.ts';

/** Retention of delivery attempts, in days. */
export const ATTEMPT_DAYS = 30;

/** Row of an attempt. `delivery` is the delivery before the attempt. */
export function attemptRow(delivery: Row, { answer, started_at, ended_at }: Attempt): Row {
  const answerColumns =
    answer.error === undefined
      ? {
          response_status: String(answer.status),
          response_headers: answer.headers ?? null,
          response_body: answer.body ?? null,
        }
      : { error: answer.error };
  return {
    merchant_id: delivery.merchant_id ?? null,
    mode: delivery.mode ?? null,
    id: uuidv7(started_at),
    webhook_delivery_id: delivery.id ?? null,
    number: String(Number(delivery.attempts_count) + 1),
    ...answerColumns,
    duration_ms: String(Math.max(0, Math.round((ended_at - started_at) / 1_000))),
    created_at: instantText(started_at),
  };
}

/**
 * Prunes attempts past their retention, oldest first, at most `limit`. Returns the number of
 * deleted rows.
 */
export const pruneAttempts = (db: Db, now: Micros, limit: number): Promise<number> =>
  pruneAttemptsUntil(db, instantText(now - seconds(ATTEMPT_DAYS * 86_400)), limit);
