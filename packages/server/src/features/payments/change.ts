import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { instantText, type Micros } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { referencesOf } from '../records/plain.ts';
import type { Decision, Updater } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { checkCurrency, refuseIncomplete } from './create.ts';
import { allowedActions, intentTrigger, isChangeable } from './decide.ts';
import { withLineItems } from './line-items.ts';

/** `PATCH /v2/payment_demands/{id}`: prepares an intent, or a failed demand before it is tried again. */
export const updatePaymentDemand =
  (model: Model, update: Updater) =>
  (ctx: RequestContext, id: string, sent: Row): Promise<Row> => {
    const columns = withLineItems(sent, ctx.now());
    if (columns.amount_currency) checkCurrency(ctx, columns.amount_currency);
    return update({
      scope: ctx.scope,
      id,
      references: referencesOf(model, columns),
      decide: (row) => decideUpdate(ctx, row, columns),
    });
  };

function decideUpdate(ctx: RequestContext, row: Row, columns: Row): Decision {
  refuseState(row, 'update', isChangeable(row.status as string));
  const set = { ...columns, ...staleAuthentication(row, columns) };
  const trigger = intentTrigger({ ...row, ...set }, ctx.settings.threeds);
  return {
    set,
    events: row.status === 'failed' ? ['updated'] : [],
    ...(trigger && { trigger }),
  };
}

/** A bank authenticates one amount; results for another one would be refused by the network. */
function staleAuthentication(row: Row, columns: Row): Row {
  const changes = (column: string): boolean => column in columns && columns[column] !== row[column];
  if (!changes('amount_cents') && !changes('amount_currency')) return {};
  return {
    threeds_version: null,
    threeds_status: null,
    threeds_cryptogram: null,
    eci: null,
    directory_transaction_eid: null,
    acs_transaction_eid: null,
  };
}

/** `PATCH /v2/payment_demands/{id}/confirm`: the payment becomes due; on a failed demand it is tried again. */
export const confirmPaymentDemand =
  (services: Services, update: Updater) =>
  async (ctx: RequestContext, id: string): Promise<Row> => {
    const row = await update({
      scope: ctx.scope,
      id,
      decide: (before, now) => decideConfirm(ctx, before, now),
    });
    services.wake.authorise.raise();
    services.wake.deliver.raise();
    return row;
  };

function decideConfirm(ctx: RequestContext, row: Row, now: Micros): Decision {
  const { settings } = ctx;
  refuseState(row, 'confirm', allowedActions(row.status as string).includes('confirm'));
  refuseIncomplete(row, settings.threeds);
  return {
    trigger: 'confirm',
    set: {
      confirmed: 'true',
      failure_reason: null,
      unsent_count: '0',
      payer_timezone: row.payer_timezone ?? settings.timezone,
      due_at: instantText(now),
    },
    events: row.status === 'failed' ? ['updated'] : ['created', 'updated'],
  };
}

/** Throws the 405 that names the state and what is possible in it. */
function refuseState(row: Row, action: string, allowed: boolean): void {
  if (allowed) return;
  const state = row.status as string;
  const actions = allowedActions(state);
  const now =
    actions.length > 0 ? `Possible now: ${actions.join(', ')}.` : 'Nothing can be asked of it now.';
  throw problem(
    'invalid_state',
    `A payment demand that is ${state} does not take ${action}. ${now}`,
    undefined,
    { meta: { allowed_actions: actions, state }, headers: { allow: 'GET, HEAD, OPTIONS' } },
  );
}
