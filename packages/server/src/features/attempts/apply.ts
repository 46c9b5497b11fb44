import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import { disputeMachine } from '@florin/contract/machines/dispute.ts';
import { followUpMachine } from '@florin/contract/machines/follow-up.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import { paymentSubscriptionMachine } from '@florin/contract/machines/payment-subscription.ts';
import { instantText, type Micros } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { type Change, transition } from '../../store/transition.ts';
import type { Decision } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';

const machines = {
  attempts: attemptMachine,
  capture_demands: followUpMachine,
  disputes: disputeMachine,
  payment_demands: paymentDemandMachine,
  payment_subscriptions: paymentSubscriptionMachine,
  refund_demands: followUpMachine,
};

/** The tables of demands, which attempts are made for. */
export type DemandTable = Exclude<
  keyof typeof machines,
  'attempts' | 'disputes' | 'payment_subscriptions'
>;

/** What was decided for a row that the transaction has locked. */
export type DecidedChange = Change & Decision;

/** Stores decisions with the events that tell of them; returns the rows as they are afterwards. */
export function applyDecisions(
  { catalog, models }: Services,
  tx: Db,
  table: keyof typeof machines,
  now: Micros,
  changes: readonly DecidedChange[],
): Promise<Row[]> {
  const eventsOf = (change: Change, row: Row) =>
    (change as DecidedChange).events.map((slug, nth) =>
      eventAbout(models.get(table), row, slug, now + nth),
    );
  const options = { table, machine: machines[table], at: instantText(now), eventsOf };
  return transition(tx, catalog, options, changes);
}
