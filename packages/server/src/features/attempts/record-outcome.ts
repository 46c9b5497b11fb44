import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDecisions, type DecidedChange } from '../records/apply-decisions.ts';
import { applyDemandDecisions, type DemandTable } from './apply-demand-decisions.ts';
import type { OutcomeChanges } from './decide-outcome.ts';
import { deleteUnaccepted } from './sql/unaccepted-attempts.ts';

/** A result, with the attempt that it belongs to. */
export interface ReceivedResult<Result> {
  /** Key of the attempt. */
  readonly key: RowKey;
  readonly result: Result;
}

/**
 * Records a result in one transaction with concurrent results. Returns the attempt's new state;
 * undefined if the result changed nothing.
 */
export type OutcomeRecorder<Result> = (
  result: ReceivedResult<Result>,
) => Promise<string | undefined>;

/** Results per transaction. More would save little per result, and delay waiting callers. */
const RECORD_MAX = 50;
/**
 * Number of waiting results that starts a second concurrent transaction. Fewer wait for the first,
 * since each transaction has a fixed cost.
 */
const SECOND_BATCH_MIN = 128;

/** Gathers concurrent results into batches. `record` records a batch in one transaction. */
export const createOutcomeRecorder = <Result>(
  record: (results: readonly ReceivedResult<Result>[]) => Promise<(string | undefined)[]>,
  onBatch?: (size: number) => void,
): OutcomeRecorder<Result> =>
  createBatcher({
    run: record,
    keyOf: ({ key }) => keyText(key),
    ownerOf: ({ key }) => key.merchant_id,
    batch_max: RECORD_MAX,
    second_batch_min: SECOND_BATCH_MIN,
    onBatch,
  });

/** A result with its attempt and demand, both locked. */
export interface LockedResult<Result> {
  readonly result: Result;
  readonly attempt: Row;
  readonly demand: Row;
}

/** Locks the attempts of results and their demands. Demands first, in the same order as claims. */
export async function lockForOutcomes<Result>(
  tx: Db,
  table: DemandTable,
  results: readonly ReceivedResult<Result>[],
): Promise<LockedResult<Result>[]> {
  const keys = results.map(({ key }) => key);
  const unlockedAttempts = await findRowsByKey(tx, 'attempts', keys, [
    'merchant_id',
    demandColumns[table],
  ]);
  const demands = await lockRows(
    tx,
    table,
    unlockedAttempts.map((attempt) => demandKey(table, attempt)),
  );
  const attempts = await lockRows(tx, 'attempts', keys);
  return results.flatMap(({ key, result }) => {
    const attempt = attempts.get(keyText(key));
    const demand = attempt && demands.get(keyText(demandKey(table, attempt)));
    return demand ? [{ result, attempt, demand }] : [];
  });
}

const demandColumns: Readonly<Record<DemandTable, string>> = {
  payment_demands: 'payment_demand_id',
  capture_demands: 'capture_demand_id',
  refund_demands: 'refund_demand_id',
};

const demandKey = (table: DemandTable, attempt: Row): RowKey => ({
  merchant_id: attempt.merchant_id as string,
  id: attempt[demandColumns[table]] as string,
});

/** Changes of a locked attempt and its demand. */
export interface DecidedOutcome {
  readonly attempt: Row;
  readonly demand: Row;
  readonly changes: OutcomeChanges;
}

/** Decides the effect of each result. Leaves out results that change nothing. */
export const decideOutcomes = <Result>(
  lockedResults: readonly LockedResult<Result>[],
  decide: (attempt: Row, demand: Row, result: Result, now: Micros) => OutcomeChanges | undefined,
  now: Micros,
): DecidedOutcome[] =>
  lockedResults.flatMap(({ attempt, demand, result }) => {
    const changes = decide(attempt, demand, result, now);
    return changes ? [{ attempt, demand, changes }] : [];
  });

/** Results of stored outcomes. */
export interface StoredOutcomes {
  /** New state of each attempt, by key. */
  readonly states: ReadonlyMap<string, string>;
  readonly demands: readonly ChangedRow[];
  /** Attempts before and after, without those that the vault did not accept. */
  readonly attempts: readonly ChangedRow[];
}

/** Counts attempts that got a new state. Call after the commit. */
export function countStates(
  { processor_metrics }: Pick<Services, 'processor_metrics'>,
  { attempts }: Pick<StoredOutcomes, 'attempts'>,
): void {
  for (const { before, after } of attempts) {
    const { processor_account_id = null, operation, status } = after;
    if (before.status !== status)
      processor_metrics.countAttempt(processor_account_id, operation as string, status as string);
  }
}

/**
 * Changes of demands, one for each. An abandoned attempt changes none: the same batch may have the outcome of the attempt
 * after it, and one statement writes a row once.
 */
export const demandChangesOf = (outcomes: readonly DecidedOutcome[]): DecidedChange[] =>
  outcomes
    .filter(({ attempt }) => !attempt.abandoned_at)
    .map(({ demand, changes }) => ({ before: demand, ...changes.demand }));

/** Stores the changes of attempts, then those of demands with events and reactions. */
export async function storeOutcomes(
  services: Services,
  tx: Db,
  table: DemandTable,
  now: Micros,
  outcomes: readonly DecidedOutcome[],
): Promise<StoredOutcomes> {
  const attemptChanges = outcomes.map(({ attempt, changes }) => ({
    before: attempt,
    ...changes.attempt,
  }));
  const attempts = await applyDecisions(services, tx, 'attempts', now, attemptChanges);
  const unacceptedOutcomes = outcomes.filter(({ changes }) => changes.isUnaccepted);
  await deleteUnaccepted(
    tx,
    unacceptedOutcomes.map(({ attempt }) => keyOf(attempt)),
  );
  const demands = await applyDemandDecisions(services, tx, table, now, demandChangesOf(outcomes));
  const states = new Map(attempts.map((row) => [keyText(row), row.status as string]));
  const changedAttempts = outcomes.flatMap(({ attempt: before, changes }, at) =>
    changes.isUnaccepted ? [] : [{ before, after: attempts[at] as Row }],
  );
  return { states, demands, attempts: changedAttempts };
}
