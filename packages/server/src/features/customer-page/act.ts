import { ProblemError, problem } from '@florin/contract/errors.ts';
import type { RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import { versionOf } from '../../jsonapi/etag.ts';
import { createOnce } from '../../jsonapi/once.ts';
import { changedColumns } from '../../jsonapi/parse-document/rows.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { createRecall } from '../../jsonapi/recall.ts';
import { findSettings } from '../../store/callers.ts';
import type { Row } from '../../store/row.ts';
import { newestRow } from '../../store/rows.ts';
import type { Services } from '../services.ts';
import { paymentSubscriptionBehaviour } from '../subscriptions/behaviour.ts';
import { takesCard } from '../subscriptions/decide.ts';
import { type CustomerAction, hasRight } from './decide.ts';
import type { Visit } from './open.ts';

/** What a page asks for: once for each `once`, and of the subscription as it was shown (`version`). */
export interface Asked {
  readonly once: string;
  readonly version: string;
  readonly request_id: string;
}

/** Changes subscriptions in the name of their customers, as the interface does for merchants. */
export interface Acts {
  /** Throws what the interface would answer, and 403 for what the merchant leaves to itself. */
  act(visit: Visit, action: Exclude<CustomerAction, 'change_card'>, asked: Asked): Promise<void>;
  /** After a card was entered: where the subscription has it, a charge that failed is tried again with it. */
  changeCard(visit: Visit, asked: Asked): Promise<'none' | 'changed' | 'retried'>;
}

const TYPE = 'payment_subscriptions';
const nothing: WriteInput = { attributes: {}, relationships: {} };

export function createActs(services: Services): Acts {
  const model = services.models.get(TYPE);
  const behaviour = paymentSubscriptionBehaviour(services, model);
  const once = createOnce({ model, recall: createRecall(services.db), repeat: undefined });
  const { update, actions = {} } = behaviour;
  const amend = (canceled_at_period_end: boolean): Write => {
    const input = { attributes: { canceled_at_period_end }, relationships: {} };
    const write = (ctx: RequestContext, id: string) =>
      (update as NonNullable<typeof update>)(ctx, id, input, changedColumns(model, input));
    return { operation: 'update', input, write };
  };
  const action = (operation: string): Write => ({
    operation,
    input: nothing,
    write: (ctx, id) =>
      (actions[operation] as NonNullable<(typeof actions)[string]>)(ctx, id, nothing),
  });
  const writes = {
    cancel_later: amend(true),
    keep: amend(false),
    cancel_now: action('cancel'),
    pause: action('pause'),
    resume: action('resume'),
  } as const;
  const retry = action('confirm');
  const run = (ctx: RequestContext, id: string, { operation, input, write }: Write) =>
    once(ctx, { operation, id, input }, (keyed) => write(keyed, id));

  return {
    async act(visit, name, asked) {
      const { subscription, rights, now } = visit;
      if (!hasRight(name, subscription, rights, now)) throw notLetTo();
      const ctx = {
        ...(await contextOf(services, visit, asked)),
        if_match: new Set([asked.version]),
      };
      await run(ctx, subscription.id as string, writes[name]);
    },
    async changeCard(visit, asked) {
      const { subscription, rights, now } = visit;
      if (!hasRight('change_card', subscription, rights, now)) throw notLetTo();
      if (versionOf(subscription) === asked.version) return 'none';
      const charge = await newestCharge(services, visit);
      if (charge && underWay.has(charge.status as string)) return 'retried';
      if (!takesCard(subscription) || !hasNewCard(charge, subscription)) return 'changed';
      const ctx = await contextOf(services, visit, asked);
      await run(ctx, subscription.id as string, retry).catch(unlessTaken);
      return 'retried';
    },
  };
}

/** A write of the interface, and how it is remembered. */
interface Write {
  readonly operation: string;
  readonly input: WriteInput;
  readonly write: (ctx: RequestContext, id: string) => Promise<Row>;
}

const notLetTo = (): Error =>
  problem('forbidden', 'The merchant does not let its customers do this (customers_may).');

const newestCharge = ({ db }: Services, { link }: Visit): Promise<Row | undefined> =>
  newestRow(db, 'payment_demands', link.scope, { payment_subscription_id: link.subscription_id });

const underWay: ReadonlySet<string> = new Set(['pending', 'processing']);

/** A card that was declined is not charged again because somebody asks for it. */
const hasNewCard = (charge: Row | undefined, subscription: Row): boolean =>
  charge?.status === 'failed' && charge.payment_method_id !== subscription.payment_method_id;

/** The billing loop tries it again as well; whoever is first does. */
function unlessTaken(error: unknown): void {
  const isTaken =
    error instanceof ProblemError && error.problems.every(({ code }) => code === 'invalid_state');
  if (!isTaken) throw error;
}

/** Who asks is the customer: no key, and no permission but for this one subscription. */
async function contextOf(
  { db, clock, config }: Services,
  { link: { scope } }: Visit,
  { once, request_id }: Asked,
): Promise<RequestContext> {
  const settings = await findSettings(db, scope);
  if (!settings) throw notFound();
  return {
    scope,
    now: () => clock.now(),
    request_id,
    base_url: config.public_url,
    permissions: 'all',
    idempotency_key: `customer page ${once}`,
    settings,
  };
}
