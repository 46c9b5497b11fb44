import { ProblemError, problem } from '@florin/contract/errors.ts';
import type { RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import { versionOf } from '../../jsonapi/etag.ts';
import { writeOnce } from '../../jsonapi/once.ts';
import { changedColumns } from '../../jsonapi/parse-document/rows.ts';
import { createIdempotencyLookup } from '../../jsonapi/reading/idempotency-lookup.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { createOwnContext } from '../merchants/own-context.ts';
import { paymentSubscriptionBehaviour } from '../subscriptions/behaviour.ts';
import { acceptsCard } from '../subscriptions/decide.ts';
import { withSameCard } from '../subscriptions/same-card.ts';
import { type CustomerAction, hasRight } from './decide.ts';
import type { Visit } from './open.ts';
import { findNewestCharge, isInProgress } from './outcome.ts';

/**
 * A submitted form. `once` is its idempotency key; `version` is the subscription's version that the
 * page showed.
 */
export interface SubmittedForm {
  readonly once: string;
  readonly version: string;
  readonly request_id: string;
}

/** Actions of customers on their subscriptions, with the same writes as the interface. */
export interface CustomerActions {
  /** Throws errors of the interface; 403 if the merchant does not allow the action. */
  act(
    visit: Visit,
    action: Exclude<CustomerAction, 'change_card'>,
    form: SubmittedForm,
  ): Promise<void>;
  /** Called after the form has attached a card. Retries a failed charge with this card. */
  changeCard(visit: Visit, form: SubmittedForm): Promise<'none' | 'changed' | 'retried'>;
}

const TYPE = 'payment_subscriptions';
const emptyInput: WriteInput = { attributes: {}, relationships: {} };

/** Writes of the interface that customers' actions use. */
function createWrites(services: Services) {
  const model = services.models.get(TYPE);
  const { update, actions = {} } = paymentSubscriptionBehaviour(services, model);
  const amendWriteOf = (canceled_at_period_end: boolean): Write => {
    const input = { attributes: { canceled_at_period_end }, relationships: {} };
    const write = (ctx: RequestContext, id: string) =>
      (update as NonNullable<typeof update>)(ctx, id, input, changedColumns(model, input));
    return { operation: 'update', input, write };
  };
  const writeOf = (operation: string): Write => ({
    operation,
    input: emptyInput,
    write: (ctx, id) =>
      (actions[operation] as NonNullable<(typeof actions)[string]>)(ctx, id, emptyInput),
  });
  return {
    cancel_later: amendWriteOf(true),
    keep: amendWriteOf(false),
    cancel_now: writeOf('cancel'),
    pause: writeOf('pause'),
    resume: writeOf('resume'),
    retry: writeOf('confirm'),
  } as const;
}

export function createCustomerActions(services: Services): CustomerActions {
  const model = services.models.get(TYPE);
  const requests = {
    model,
    idempotencyLookup: createIdempotencyLookup(services),
    repeat: undefined,
  };
  const writes = createWrites(services);
  const run = (ctx: RequestContext, id: string, { operation, input, write }: Write) =>
    writeOnce(requests, ctx, { operation, id, input }, (keyedContext) => write(keyedContext, id));

  return {
    async act(visit, name, form) {
      const { subscription } = visit;
      if (!hasRight(name, visit)) throw forbiddenActions();
      const ctx = {
        ...(await contextOf(services, visit, form)),
        if_match: new Set([form.version]),
      };
      await run(ctx, subscription.id as string, writes[name]);
    },
    async changeCard(visit, form) {
      const { subscription } = visit;
      if (!hasRight('change_card', visit)) throw forbiddenActions();
      if (versionOf(subscription) === form.version) return 'none';
      const charge = await findNewestCharge(services, visit);
      if (isInProgress(charge)) return 'retried';
      const canRetry =
        acceptsCard(subscription) && (await hasNewCard(services, charge, subscription));
      if (!canRetry) return 'changed';
      const ctx = await contextOf(services, visit, form);
      await run(ctx, subscription.id as string, writes.retry).catch(ignoreAlreadyDone);
      return 'retried';
    },
  };
}

/** A write of the interface with its idempotency key. */
interface Write {
  readonly operation: string;
  readonly input: WriteInput;
  readonly write: (ctx: RequestContext, id: string) => Promise<Row>;
}

const forbiddenActions = (): Error =>
  problem(
    'forbidden',
    'The merchant does not allow this action: see customer_permissions of the merchant.',
  );

/**
 * Whether the customer has attached another card since the failed charge. A declined card is not
 * charged again on request.
 */
async function hasNewCard(
  { db }: Services,
  charge: Row | undefined,
  { payment_method_id }: Row,
): Promise<boolean> {
  if (charge?.status !== 'failed' || charge.payment_method_id === payment_method_id) return false;
  return (await withSameCard(db, [{ charge, payment_method_id }])).size === 0;
}

/** Ignores the error of a retry that the billing worker did first. */
function ignoreAlreadyDone(error: unknown): void {
  const isDone =
    error instanceof ProblemError && error.problems.every(({ code }) => code === 'invalid_state');
  if (!isDone) throw error;
}

/** Request context of the customer: without a key, with permission for this subscription only. */
const contextOf = async (
  services: Services,
  { link: { scope } }: Visit,
  { once, request_id }: SubmittedForm,
): Promise<RequestContext> => ({
  ...(await createOwnContext(services, scope, request_id)),
  asked_by: 'customer',
  idempotency_key: `customer page ${once}`,
});
