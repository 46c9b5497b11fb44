import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { countTries } from '../../platform/rates/shared-tries.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findTryCounters } from './sql.ts';
import { additionsOf } from './tries.ts';
import {
  type Counter,
  countersOf,
  failuresOf,
  isOfAttempts,
  payerCounter,
} from './try-counters.ts';
import { KEY_FAILURES, PREFIX_FAILURES, type TryLimit } from './try-limits.ts';

/** Failures that tell nothing about the card: the processor did not decide about the payment. */
const UNDECIDED: readonly unknown[] = ['processor_unreachable', 'processor_timeout'];

/**
 * Counts declined charges of present payers when they happen: for address, prefix, key and payer of
 * the card's form. The transaction locks the counts last, in one statement.
 */
export async function countDeclines(
  { system_clock }: Pick<Services, 'system_clock'>,
  tx: Db,
  changedRows: readonly ChangedRow[],
): Promise<void> {
  const declined = changedRows.filter(isDecline).map(({ after }) => after);
  if (declined.length === 0) return;
  const entered = await findTryCounters(tx, declined);
  const counters = [
    ...entered.flatMap(({ try_counters }) => countersOf(try_counters as string)),
    ...declined.flatMap(payerCounters),
  ];
  const now = system_clock.now();
  await countTries(tx, additionsOf(summed(counters), now), instantText(now));
}

/**
 * Counts a card that was attached to its payment, once, for prefix and key of its form. `tx` attaches
 * the card, and locks the counts last.
 */
export async function countAttached(
  { system_clock }: Pick<Services, 'system_clock'>,
  tx: Db,
  try_counters: string,
): Promise<void> {
  const rated = countersOf(try_counters).filter(({ limit }) => RATED.includes(limit));
  const now = system_clock.now();
  const additions = additionsOf(
    rated.map((counter) => [counter, isOfAttempts(counter) ? 1 : 0]),
    now,
  );
  await countTries(tx, additions, instantText(now));
}

/** Limits of failure rates. */
const RATED: readonly TryLimit[] = [KEY_FAILURES, PREFIX_FAILURES];

const isDecline = ({ before, after }: ChangedRow): boolean =>
  before.status === 'processing' &&
  after.status === 'failed' &&
  after.initiator !== 'merchant' &&
  !UNDECIDED.includes(after.failure_reason);

const payerCounters = ({ merchant_id, payer_id }: Row): Counter[] =>
  payer_id ? [payerCounter(merchant_id as string, payer_id)] : [];

/** One addition for each subject, since one statement writes a row once. */
const summed = (counters: readonly Counter[]): (readonly [Counter, number])[] =>
  [...Map.groupBy(counters, ({ subject }) => subject).values()].map((same) => {
    const [counter] = same as [Counter];
    return [counter, same.length * failuresOf(counter)];
  });
