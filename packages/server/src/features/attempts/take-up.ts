import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { type Allowance, lockDue, type lockOldest } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';
import type { DemandTable } from './apply.ts';

/** Demands that may be taken up at once. */
export const TAKE_UP_MAX = 256;
/** How long a demand is put aside that cannot be taken up. */
export const PUT_ASIDE_SECONDS = 60;

/** How the demands of one table are taken up. */
export interface Intake<Message> {
  readonly table: DemandTable | 'payment_subscriptions';
  /** The column that puts a row aside, where that is not `due_at` itself. */
  readonly aside?: 'put_aside_until';
  /** How they are locked, where not in equal parts from all merchants. */
  readonly lock?: typeof lockOldest;
  /** Does what due rows, which `tx` has locked, are due for; returns what is to be sent after the commit. */
  readonly submit: (tx: Db, demands: readonly Row[], now: Micros) => Promise<readonly Message[]>;
  /** Told how many messages there are once nothing but the commit of all is left; that may fail all the same. */
  readonly committing?: ((count: number) => void) | undefined;
}

/** What a look at the due demands came to. */
export interface TakenUp<Message> {
  readonly messages: readonly Message[];
  /** How many demands were looked at; those that were refused or put aside have no message. */
  readonly taken: number;
}

/**
 * Takes up demands that are due, as many as are allowed: each gets its attempt row and becomes `processing` in one
 * transaction, before its message is sent. One that fails the transaction is found and put aside alone.
 */
export async function takeUpDue<Message>(
  services: Services,
  intake: Intake<Message>,
  allowance: Allowance,
): Promise<TakenUp<Message>> {
  let demands: Row[] = [];
  const within = await services.within?.();
  try {
    const take = async (tx: Db) => {
      const now = services.clock.now();
      demands = await (intake.lock ?? lockDue)(tx, {
        table: intake.table,
        now: instantText(now),
        within,
        ...allowance,
      });
      const submitted = demands.length > 0 ? await intake.submit(tx, demands, now) : [];
      intake.committing?.(submitted.length);
      return submitted;
    };
    const messages = await services.db.transaction(take, { plans: 'kept' });
    return { messages, taken: demands.length };
  } catch (error) {
    const [first, ...others] = demands;
    if (!first || isPassingError(error)) throw error;
    if (others.length > 0) return takeUpApart(services, intake, allowance, demands.length);
    await putAside(services, intake, first, error as Error);
    return { messages: [], taken: 1 };
  }
}

/** Takes up demands one by one. Those before an error are committed, so their messages are not lost with it. */
async function takeUpApart<Message>(
  services: Services,
  intake: Intake<Message>,
  allowance: Allowance,
  count: number,
): Promise<TakenUp<Message>> {
  const messages: Message[] = [];
  const one = { ...allowance, limit: 1 };
  const { committing: _, ...apart } = intake;
  for (let taken = 0; taken < count; taken++) {
    try {
      messages.push(...(await takeUpDue(services, apart, one)).messages);
    } catch (error) {
      if (messages.length === 0) throw error;
      return { messages, taken };
    }
  }
  return { messages, taken: count };
}

async function putAside(
  { db, catalog, clock, logger }: Services,
  { table, aside }: Pick<Intake<unknown>, 'table' | 'aside'>,
  { merchant_id, id, due_at }: Row,
  { message }: Error,
): Promise<void> {
  const key = { merchant_id: merchant_id as string, id: id as string };
  logger.error({ table, demand: id, err: { message } }, 'a demand cannot be submitted');
  await db.transaction(async (tx) => {
    const now = clock.now();
    const before = (await lockRows(tx, table, [key])).get(keyText(key));
    if (!before || before.due_at !== due_at) return;
    const set = { [aside ?? 'due_at']: instantText(now + seconds(PUT_ASIDE_SECONDS)) };
    await transition(tx, catalog, { table, at: instantText(now) }, [{ before, set }]);
  });
}
