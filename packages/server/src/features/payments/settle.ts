import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import { createBatcher } from '../../kernel/batcher.ts';
import { instantText, type Micros } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { rowsByKey } from '../../store/rows.ts';
import { type Change, keyText, lockRows, type RowKey, transition } from '../../store/transition.ts';
import type { Decision } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { type AttemptResult, decideSettlement } from './settlement.ts';

export interface Answered {
  /** The attempt. */
  readonly key: RowKey;
  readonly result: AttemptResult;
}

/** Gives the attempt's state afterwards; undefined where the answer changed nothing. */
export type Settler = (answered: Answered) => Promise<string | undefined>;

/** Records what attempts came to; answers that arrive together share one transaction. */
export const createSettler = (services: Services): Settler =>
  createBatcher({
    run: (answers: readonly Answered[]) => settleAll(services, answers),
    keyOf: ({ key }) => keyText(key),
  });

async function settleAll(
  services: Services,
  answers: readonly Answered[],
): Promise<(string | undefined)[]> {
  const states = await services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const { demands, attempts } = await lockPairs(tx, answers);
    const settlements = answers.flatMap(({ key, result }) => {
      const attempt = attempts.get(keyText(key));
      const demand = attempt && demands.get(`${attempt.merchant_id} ${attempt.payment_demand_id}`);
      const settlement = attempt && demand && decideSettlement(attempt, demand, result, now);
      return settlement ? [{ attempt, demand, settlement }] : [];
    });
    const after = await apply(
      services,
      tx,
      'attempts',
      now,
      settlements.map(({ attempt, settlement }) => ({ before: attempt, ...settlement.attempt })),
    );
    await apply(
      services,
      tx,
      'payment_demands',
      now,
      settlements.map(({ demand, settlement }) => ({ before: demand, ...settlement.demand })),
    );
    return new Map(after.map((row) => [keyText(row), row.status as string]));
  });
  if (states.size > 0) services.wake.deliver.raise();
  return answers.map(({ key }) => states.get(keyText(key)));
}

/** Demands are locked before their attempts, the order in which submission takes them. */
async function lockPairs(
  tx: Db,
  answers: readonly Answered[],
): Promise<{ demands: Map<string, Row>; attempts: Map<string, Row> }> {
  const keys = answers.map(({ key }) => key);
  const unlocked = await rowsByKey(tx, 'attempts', keys, ['merchant_id', 'payment_demand_id']);
  const owners = unlocked.map(({ merchant_id, payment_demand_id }) => ({
    merchant_id: merchant_id as string,
    id: payment_demand_id as string,
  }));
  const demands = await lockRows(tx, 'payment_demands', owners);
  return { demands, attempts: await lockRows(tx, 'attempts', keys) };
}

const machines = { attempts: attemptMachine, payment_demands: paymentDemandMachine };

async function apply(
  { catalog, models }: Services,
  tx: Db,
  table: keyof typeof machines,
  now: Micros,
  changes: readonly (Change & Decision)[],
): Promise<Row[]> {
  const eventsOf = (change: Change, row: Row) =>
    (change as Change & Decision).events.map((slug) =>
      eventAbout(models.get('payment_demands'), row, slug, now),
    );
  return transition(
    tx,
    catalog,
    { table, machine: machines[table], at: instantText(now), eventsOf },
    changes,
  );
}
