import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../platform/database/row-key.ts';
import { rowsByKey } from '../../platform/database/rows.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDecisions } from '../records/apply-decisions.ts';
import type { Also } from '../records/updater.ts';
import { applyDemandDecisions, type DemandTable } from './apply-demand-decisions.ts';
import type { Settlement } from './settlement.ts';
import { removeUntaken } from './sql/untaken-attempts.ts';

/** Result of an attempt. */
export interface Answered<Result> {
  /** The attempt. */
  readonly key: RowKey;
  readonly result: Result;
}

/** Returns the attempt's new state; undefined if the result changed nothing. */
export type Settler<Result> = (answered: Answered<Result>) => Promise<string | undefined>;

export interface SettlerOptions<Result> {
  /** Table of the attempts' demands. */
  readonly table: DemandTable;
  readonly decide: (
    attempt: Row,
    demand: Row,
    result: Result,
    now: Micros,
  ) => Settlement | undefined;
  /** Follow-on changes of the demands, beside those of payments. */
  readonly also?: Also;
}

const demandColumns: Readonly<Record<DemandTable, string>> = {
  payment_demands: 'payment_demand_id',
  capture_demands: 'capture_demand_id',
  refund_demands: 'refund_demand_id',
};

/** Results per transaction: more would hardly be cheaper each, and would delay waiting callers. */
const SETTLE_MAX = 50;
/**
 * Results that start a second concurrent transaction; fewer wait a moment, since each transaction
 * has a cost of its own.
 */
const BESIDE_MIN = 128;

/** Records outcomes of attempts; concurrent results share one transaction. */
export const createSettler = <Result>(
  services: Services,
  options: SettlerOptions<Result>,
): Settler<Result> =>
  createBatcher({
    run: (answers: readonly Answered<Result>[]) => settleAll(services, options, answers),
    keyOf: ({ key }) => keyText(key),
    batch_max: SETTLE_MAX,
    beside_min: BESIDE_MIN,
  });

async function settleAll<Result>(
  services: Services,
  { table, decide, also }: SettlerOptions<Result>,
  answers: readonly Answered<Result>[],
): Promise<(string | undefined)[]> {
  const settle = async (tx: Db) => {
    const now = services.clock.now();
    const { demands, attempts } = await lockPairs(tx, table, answers);
    const settlements = answers.flatMap(({ key, result }) => {
      const attempt = attempts.get(keyText(key));
      const demand = attempt && demands.get(keyText(demandKey(table, attempt)));
      const settlement = attempt && demand && decide(attempt, demand, result, now);
      return settlement ? [{ attempt, demand, settlement }] : [];
    });
    const after = await applyDecisions(
      services,
      tx,
      'attempts',
      now,
      settlements.map(({ attempt, settlement }) => ({ before: attempt, ...settlement.attempt })),
    );
    const untaken = settlements.filter(({ settlement }) => settlement.isUntaken);
    await removeUntaken(
      tx,
      untaken.map(({ attempt }) => keyOf(attempt)),
    );
    const changes = settlements.map(({ demand, settlement }) => ({
      before: demand,
      ...settlement.demand,
    }));
    const changed = await applyDemandDecisions(services, tx, table, now, changes);
    await also?.(tx, changed, now);
    return new Map(after.map((row) => [keyText(row), row.status as string]));
  };
  const states = await services.db.transaction(settle, { plans: 'kept' });
  if (states.size > 0) services.wake.deliver.raise();
  return answers.map(({ key }) => states.get(keyText(key)));
}

const demandKey = (table: DemandTable, attempt: Row): RowKey => ({
  merchant_id: attempt.merchant_id as string,
  id: attempt[demandColumns[table]] as string,
});

/** Demands are locked before their attempts, in the order of submission. */
async function lockPairs(
  tx: Db,
  table: DemandTable,
  answers: readonly Answered<unknown>[],
): Promise<{ demands: Map<string, Row>; attempts: Map<string, Row> }> {
  const keys = answers.map(({ key }) => key);
  const unlocked = await rowsByKey(tx, 'attempts', keys, ['merchant_id', demandColumns[table]]);
  const owners = unlocked.map((attempt) => demandKey(table, attempt));
  const demands = await lockRows(tx, table, owners);
  return { demands, attempts: await lockRows(tx, 'attempts', keys) };
}
