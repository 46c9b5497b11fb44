import { isPassingError } from '../../platform/concurrency/batcher.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { addRefusals, type NewRefusals } from '../processor-accounts/sql/refusals.ts';

/** Time between two writes of a process. Refused notifications in between are counted in memory, by account. */
export const REFUSALS_WRITE_MS = 1_000;

/** A notification without a valid signature. */
export interface RefusedNotification {
  readonly account_id: string;
  /** SHA-256 of the body in hex. */
  readonly hash: string;
  readonly why: string;
  readonly at: Micros;
}

/** Counts refused notifications of known accounts, so that a flood costs one write and one line of the log a second. */
export interface Refusals {
  /** Never waits and never throws. */
  add(refusal: RefusedNotification): void;
  /** Drops what is counted of an account that has just accepted a notification. */
  forget(account_id: string): void;
  /** Stores the rest. */
  close(): Promise<void>;
}

export function createRefusals(services: Pick<Services, 'db' | 'logger'>): Refusals {
  const counted = new Map<string, NewRefusals>();
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  const store = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...counted.values()];
    counted.clear();
    storing = storing.then(() => storeBatch(services, batch));
    return storing;
  };
  return {
    add(refusal) {
      counted.set(refusal.account_id, sumOf(counted.get(refusal.account_id), refusal));
      timer ??= setTimeout(store, REFUSALS_WRITE_MS);
    },
    forget: (account_id) => void counted.delete(account_id),
    close: store,
  };
}

const sumOf = (
  before: NewRefusals | undefined,
  { account_id, hash, why, at }: RefusedNotification,
): NewRefusals => ({
  processor_account_id: account_id,
  count: (before?.count ?? 0) + 1,
  since: before?.since ?? instantText(at),
  last_at: instantText(at),
  last_reason: why,
  last_hash: hash,
});

const REFUSED =
  'notifications refused: their signature is wrong or missing. Compare the signing key of the account with the one at the processor';

async function storeBatch(
  { db, logger }: Pick<Services, 'db' | 'logger'>,
  batch: readonly NewRefusals[],
): Promise<void> {
  if (batch.length === 0) return;
  for (const { processor_account_id, count, last_hash, last_reason } of batch)
    logger.warn(
      { processor_account: processor_account_id, count, hash: last_hash, why: last_reason },
      REFUSED,
    );
  try {
    await addRefusals(db, batch);
  } catch (error) {
    const err = { code: (error as { code?: string }).code };
    logger[isPassingError(error) ? 'warn' : 'error']({ err }, 'refused notifications not counted');
  }
}
