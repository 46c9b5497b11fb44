import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { FollowUpOutcomeRecorder } from '../follow-ups/record-outcome.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import type { PaymentOutcomeRecorder } from '../payments/record-outcome.ts';
import type { Lead } from './ask.ts';
import { markDoubted } from './sql/doubts.ts';

/** Kinds of what a run counts. */
export type Counted =
  | 'asked'
  | 'recovered'
  | 'declined'
  | 'held'
  | 'created'
  | 'follow_ups'
  | 'ended';

/** One run that learns what processors did after the restored time. */
export interface LearningRun {
  readonly services: Services;
  /** The last moment that the database knows, ISO 8601. */
  readonly restored_to: string;
  /** No earlier process sends since then, in microseconds. */
  readonly since: Micros;
  readonly is_dry: boolean;
  readonly counts: Record<Counted, number>;
  /** Ids of messages that were found by their references, so that a list does not count them again. */
  readonly found: Set<string>;
  /** Sentences for the person who decides. */
  readonly notes: string[];
  readonly recordPayment: PaymentOutcomeRecorder;
  readonly recordRefund: FollowUpOutcomeRecorder;
  readonly recordCapture: FollowUpOutcomeRecorder;
  /** Reports the counts. Throws once the process stops. */
  progress(): Promise<void>;
}

/** Questions that are asked at once. */
export const ASKED_AT_ONCE = 16;

/** Runs `work` for each item, some at once. The first error ends it after the running ones. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const limiter = createLimiter({ total: { max: ASKED_AT_ONCE } });
  const errors: unknown[] = [];
  for (const item of items) {
    if (errors.length > 0) break;
    await limiter.whenFree();
    limiter.start(() => work(item).catch((error: unknown) => void errors.push(error)));
  }
  await limiter.whenIdle();
  if (errors.length > 0) throw errors[0];
}

/** Counts a message that a dry run does not record. */
export function countLead({ counts, found }: LearningRun, { id, result }: Lead): void {
  counts[countedAs(result)] += 1;
  found.add(id);
}

/** Kind that a result counts as. A hold is left to an operator. */
export function countedAs(result: AttemptResult): 'recovered' | 'declined' | 'held' {
  switch (result.result) {
    case 'approved':
      return result.captured === false ? 'held' : 'recovered';
    case 'partly_approved':
      return 'recovered';
    default:
      return result.result === 'declined' ? 'declined' : 'held';
  }
}

/** Why the outcome of a lead is not known. */
export const whyUnclear = ({ result }: Lead): string =>
  'why' in result && result.why ? result.why : 'a message may still arrive';

/** A record in a sentence. */
export const labelOf = ({ mode, merchant_id, id }: Row): string =>
  `${mode} ${id} of merchant ${merchant_id}`;

/** Marks an authorisation as doubted, so that the report lists it, and notes why. */
export async function leaveToPerson(
  run: LearningRun,
  authorisation: Row,
  why: string,
): Promise<void> {
  const { services, counts, is_dry, restored_to, notes } = run;
  const at = services.clock.now();
  const marked =
    is_dry ||
    (await markDoubted(services.db, keyOf(authorisation), { at, restored_to })).length > 0;
  // A person decided about others before this run.
  if (!marked) return;
  counts.held += 1;
  if (notes.length < NOTES_MAX) notes.push(`authorisation ${labelOf(authorisation)}: ${why}`);
}

/** Longest list of reasons. The report lists each authorisation. */
const NOTES_MAX = 1_000;
