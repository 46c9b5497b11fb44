import { codeOf } from '@florin/contract/database/fault.ts';
import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { type Allowance, lockDue, type lockOldest } from '../../platform/workers/claim.ts';
import { claimSizeOf } from '../../platform/workers/claim-size.ts';
import type { Services } from '../../services.ts';
import type { DemandTable } from './apply-demand-decisions.ts';

/** Maximum number of demands that one step claims. */
export const DEMANDS_CLAIM_MAX = 256;
/** Seconds by which a failed claim defers its demand. */
export const DEFER_SECONDS = 60;
const STATEMENT_TIMEOUT = '57014';

/** Rules to claim the due demands of one table. */
export interface ClaimRules<Message> {
  readonly table: DemandTable | 'payment_subscriptions';
  /** Column that defers a row; `due_at` if absent. */
  readonly defer_column?: 'due_at' | 'put_aside_until';
  /** Locks due rows. By default, each merchant gets an equal share of the limit. */
  readonly lock?: typeof lockOldest;
  /** Processes due rows that `tx` has locked. Returns the messages to send after the commit. */
  readonly submit: (tx: Db, demands: readonly Row[], now: Micros) => Promise<readonly Message[]>;
  /** Called right before the commit with the number of messages. The commit may still fail. */
  readonly beforeCommit?: ((count: number) => void) | undefined;
}

/** Result of claiming due demands. */
export interface ClaimedDemands<Message> {
  readonly messages: readonly Message[];
  /** Number of locked demands. Refused and deferred demands are included but have no message. */
  readonly lockedCount: number;
}

/**
 * Claims due demands, within the allowance. One transaction stores each demand's attempt and sets the demand to
 * `processing`; messages are sent afterwards. A demand that makes the transaction fail is isolated and deferred. After a
 * statement timeout the next claims are smaller, until the slow demand is alone.
 */
export async function claimDueDemands<Message>(
  services: Services,
  rules: ClaimRules<Message>,
  allowance: Allowance,
): Promise<ClaimedDemands<Message>> {
  let demands: Row[] = [];
  const size = claimSizeOf(services, rules.table);
  const limit = size.within(allowance.limit);
  const within = await services.within?.();
  try {
    const claimAndSubmit = async (tx: Db) => {
      const now = services.clock.now();
      demands = await (rules.lock ?? lockDue)(tx, {
        table: rules.table,
        now: instantText(now),
        within,
        ...allowance,
        limit,
      });
      const messages = demands.length > 0 ? await rules.submit(tx, demands, now) : [];
      rules.beforeCommit?.(messages.length);
      return messages;
    };
    const messages = await services.db.transaction(claimAndSubmit, { plans: 'kept' });
    if (demands.length > 0) size.grow();
    return { messages, lockedCount: demands.length };
  } catch (error) {
    const [firstDemand, ...otherDemands] = demands;
    const isTimeout = codeOf(error) === STATEMENT_TIMEOUT;
    if (isTimeout) size.halve(demands.length || limit);
    // A demand that times out alone would hold up those of other merchants for ever.
    const isSlowAlone = isTimeout && otherDemands.length === 0;
    if (!firstDemand || (isPassingError(error) && !isSlowAlone)) throw error;
    if (otherDemands.length > 0) return claimOneByOne(services, rules, allowance, demands.length);
    await deferDemand(services, rules, firstDemand, error as Error);
    return { messages: [], lockedCount: 1 };
  }
}

/**
 * Claims demands one by one. Demands before an error are committed, so their messages must still be
 * sent.
 */
async function claimOneByOne<Message>(
  services: Services,
  rules: ClaimRules<Message>,
  allowance: Allowance,
  count: number,
): Promise<ClaimedDemands<Message>> {
  const messages: Message[] = [];
  const singleAllowance = { ...allowance, limit: 1 };
  const { beforeCommit: _, ...rulesWithoutReport } = rules;
  for (let locked = 0; locked < count; locked++) {
    try {
      messages.push(
        ...(await claimDueDemands(services, rulesWithoutReport, singleAllowance)).messages,
      );
    } catch (error) {
      if (messages.length === 0) throw error;
      return { messages, lockedCount: locked };
    }
  }
  return { messages, lockedCount: count };
}

async function deferDemand(
  { db, catalog, clock, logger }: Services,
  { table, defer_column = 'due_at' }: Pick<ClaimRules<unknown>, 'table' | 'defer_column'>,
  { merchant_id, id, due_at }: Row,
  { message }: Error,
): Promise<void> {
  const key = { merchant_id: merchant_id as string, id: id as string };
  logger.error({ table, demand: id, err: { message } }, 'demand not claimed and deferred');
  await db.transaction(async (tx) => {
    const now = clock.now();
    const before = (await lockRows(tx, table, [key])).get(keyText(key));
    if (!before || before.due_at !== due_at) return;
    const set = { [defer_column]: instantText(now + seconds(DEFER_SECONDS)) };
    await transition(tx, catalog, { table, at: instantText(now) }, [{ before, set }]);
  });
}
