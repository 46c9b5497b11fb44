import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { ProcessorAccount } from '../../processors/accounts.ts';
import type { NotificationFact } from '../../processors/port/notifications.ts';
import type { Services } from '../../services.ts';
import { HOLD_SECONDS } from '../payments/approve.ts';
import { applyFact, type FactEffect } from './apply-fact.ts';
import { updateNotification } from './sql/notifications.ts';

/** Seconds before a notification is tried again that found no payment. The last wait repeats. */
const RETRY_WAITS_SECONDS = [5, 30, 120, 600, 3_600] as const;
/** Time after which a notification that finds no payment becomes an operator's item. */
export const UNMATCHED_SECONDS = 24 * 60 * 60;
/** The same for one that waits with a dispute: the hold of its payment may be open until then. */
export const WAITING_DISPUTE_SECONDS = HOLD_SECONDS + UNMATCHED_SECONDS;
/** Longest wait of a dispute. Once the hold has ended, a refund before the dispute would return the amount twice. */
const DISPUTE_WAIT_SECONDS_MAX = 60;

/** A fact with its effect, as operators see it. */
interface FactOutcome {
  readonly kind: NotificationFact['kind'];
  readonly key: string;
  readonly effect: FactEffect | 'failed';
}

/** Applies a claimed notification and stores what each of its facts did. Never rejects. */
export async function applyNotification(services: Services, row: Row): Promise<void> {
  const { id, processor_account_id: account_id } = row;
  const account = services.accounts.find(account_id as string);
  const outcomes = firstOutcomes(account);
  try {
    for (const fact of account ? readFacts(account, row) : [])
      outcomes.push(await outcomeOf(services, account, fact, id as string));
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ notification: id, err }, 'notification of a processor not readable');
    outcomes.push({ kind: 'ignored', key: 'unreadable', effect: 'failed' });
  }
  const now = services.system_clock.now();
  const { status, due_at } = decideNotification(row, outcomes, now);
  await updateNotification(services.db, {
    id: id as string,
    status,
    outcomes: JSON.stringify(outcomes),
    due_at: due_at === null ? null : instantText(due_at),
    at: instantText(now),
  });
  if (due_at === null && account_id)
    services.processor_metrics.countNotification(account_id, status);
  if (!ATTENTION.has(status)) return;
  services.logger.error(
    { notification: id, processor_account: account_id, status, outcomes },
    'notification of a processor needs an operator: see it under notifications, and replay it after the mend',
  );
}

/** This server may not have read a new account yet, or lacks its adapter. Such a notification is tried again. */
export const firstOutcomes = (account: ProcessorAccount | undefined): FactOutcome[] =>
  account ? [] : [{ kind: 'ignored', key: 'no account', effect: 'waiting' }];

const ATTENTION: ReadonlySet<string> = new Set(['unmatched', 'conflict', 'failed']);

const readFacts = ({ processor }: ProcessorAccount, { body }: Row): readonly NotificationFact[] =>
  processor.notifications?.readFacts({
    headers: {},
    body: Buffer.from(body as string, 'base64'),
  }) ?? [];

async function outcomeOf(
  services: Services,
  account: ProcessorAccount | undefined,
  fact: NotificationFact,
  notification: string,
): Promise<FactOutcome> {
  const { kind, key } = fact;
  try {
    const effect = account ? await applyFact(services, account, fact) : 'unmatched';
    return { kind, key, effect };
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ notification, fact: key, err }, 'fact of a notification not applied');
    return { kind, key, effect: 'failed' };
  }
}

/** State of a notification after a try, and when it is tried again. */
export function decideNotification(
  { tries, received_at, replayed_at }: Row,
  outcomes: readonly Pick<FactOutcome, 'kind' | 'effect'>[],
  now: Micros,
): { readonly status: string; readonly due_at: Micros | null } {
  const effects = new Set(outcomes.map(({ effect }) => effect));
  const retried = (['failed', 'unmatched', 'waiting'] as const).find((effect) =>
    effects.has(effect),
  );
  const hasDispute = outcomes.some(
    ({ kind, effect }) => kind === 'dispute' && effect === 'waiting',
  );
  const max_s = hasDispute ? WAITING_DISPUTE_SECONDS : UNMATCHED_SECONDS;
  const isOld = now - microsOf((replayed_at ?? received_at) as string) >= seconds(max_s);
  if (retried && !isOld) {
    const wait = RETRY_WAITS_SECONDS[Number(tries)] ?? RETRY_WAITS_SECONDS.at(-1) ?? 0;
    const wait_s = hasDispute ? Math.min(wait, DISPUTE_WAIT_SECONDS_MAX) : wait;
    return { status: 'received', due_at: now + seconds(wait_s) };
  }
  if (effects.has('conflict')) return { status: 'conflict', due_at: null };
  if (retried) return { status: retried === 'failed' ? 'failed' : 'unmatched', due_at: null };
  return { status: effects.has('applied') ? 'applied' : 'ignored', due_at: null };
}
