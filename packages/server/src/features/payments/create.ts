import { ProblemError, problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { requireCharging } from '../merchants/status-checks.ts';
import type { CreateItem, Creator } from '../records/creator.ts';
import { eventAbout } from '../records/emit.ts';
import { checkAmount } from '../risk/amounts.ts';
import { paymentReferencesOf, requireFirstApproval } from './card.ts';
import { assertedBySender } from './columns.ts';
import { confirmationProblems, type ThreeDSecureRules } from './decide.ts';
import { checkPurchase, withLineItems } from './line-items.ts';
import { requireRoute } from './require-route.ts';

/**
 * `POST /v2/payment_demands`: creates an intent, or with `confirmed: true` a demand that is due
 * now. `create` stores it with its event, and with its attempt where it can be sent at once, in one transaction with
 * concurrent creates. The result is the payment as it was created: `pending`.
 */
export async function createPaymentDemand(
  services: Services,
  create: Creator,
  ctx: RequestContext,
  record: Row,
): Promise<Row> {
  requireCharging(services, ctx);
  checkCurrency(ctx, record.amount_currency as string);
  checkAmount(ctx, record);
  const purchase = withLineItems(record, ctx.now());
  checkPurchase(purchase);
  await requireRoute(services, { ...purchase, ...ctx.scope });
  const row = firstState(purchase, ctx, services);
  if (row.status === 'pending') await requireFirstApproval(services, row);
  return create(itemOf(services, ctx, row));
}

export function checkCurrency(ctx: RequestContext, currency: string): void {
  const acceptedCurrencies = ctx.settings.currencies;
  if (acceptedCurrencies.has(currency)) return;
  throw problem(
    'currency_not_accepted',
    `amount_currency must be one of ${[...acceptedCurrencies].join(', ')}. To accept others, update accepted_currencies of the merchant.`,
    { pointer: '/data/attributes/amount_currency' },
  );
}

function firstState(fields: Row, ctx: RequestContext, { clock }: Services): Row {
  const { settings } = ctx;
  const record: Row = { ...fields, ...assertedBySender(fields), unsent_count: '0' };
  if (record.confirmed !== 'true') {
    const complete = confirmationProblems(record, settings, ctx.now()).length === 0;
    return { ...record, status: complete ? 'ready' : 'incomplete' };
  }
  refuseIncomplete(record, settings, ctx.now());
  return {
    ...record,
    status: 'pending',
    payer_timezone: record.payer_timezone ?? settings.timezone,
    due_at: instantText(clock.now()),
  };
}

/** Throws 422 with all problems that prevent a confirmation. */
export function refuseIncomplete(row: Row, rules: ThreeDSecureRules, now: Micros): void {
  const problems = confirmationProblems(row, rules, now);
  if (problems.length > 0) throw new ProblemError(problems);
}

function itemOf(services: Services, ctx: RequestContext, row: Row): CreateItem {
  const model = services.models.get('payment_demands');
  const isConfirmed = row.status === 'pending';
  return {
    record: {
      row,
      events: isConfirmed ? [eventAbout(model, row, 'created', ctx.now())] : [],
      idempotency: ctx.idempotency,
    },
    references: paymentReferencesOf(model, row),
  };
}
