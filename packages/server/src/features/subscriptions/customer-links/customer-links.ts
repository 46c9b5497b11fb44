import type { RequestContext, WriteInput } from '../../../jsonapi/behaviour.ts';
import type { Row } from '../../../platform/database/row.ts';
import { seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import type { Decision, Updater } from '../../records/updater.ts';
import { wrongState } from '../../records/wrong-state.ts';
import { isConfirmed, recordStateOf } from '../decide.ts';
import { customerLink, epochOf } from './customer-link.ts';

/** Default lifetime of a link in seconds. */
const DEFAULT_SECONDS = 24 * 60 * 60;

/**
 * `PATCH /v2/payment_subscriptions/{id}/customer_link`. Stores no link: only this response has it.
 */
export async function makeCustomerLink(
  services: Services,
  update: Updater,
  ctx: RequestContext,
  id: string,
  { attributes }: WriteInput,
): Promise<Row> {
  const { scope, if_match, idempotency } = ctx;
  const row = await update({ scope, id, if_match, idempotency, decide: requireConfirmed });
  const ttl = seconds(Number(attributes.expires_in_seconds ?? DEFAULT_SECONDS));
  return { ...row, customer_url: customerLink(services, row, ctx.now(), ttl) };
}

function requireConfirmed(row: Row): Decision {
  if (!isConfirmed(row)) throw wrongState(recordStateOf(row), 'customer_link');
  return { set: {}, events: [] };
}

/**
 * `PATCH /v2/payment_subscriptions/{id}/revoke_customer_links`. Emits no event, since clients see
 * no change of the subscription.
 */
export const revokeCustomerLinks = (
  update: Updater,
  { scope, if_match, idempotency }: RequestContext,
  id: string,
): Promise<Row> =>
  update({
    scope,
    id,
    if_match,
    idempotency,
    decide: (row) => ({ set: { customer_links_epoch: String(epochOf(row) + 1) }, events: [] }),
  });
