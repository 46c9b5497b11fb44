import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Micros } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { referencesOf } from '../records/plain.ts';
import type { Decision, Updater } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import type { Services } from '../services.ts';
import { authenticationColumns, pick } from './columns.ts';
import { checkCurrency, refuseIncomplete } from './create.ts';
import { allowedActions, due, intentTrigger, isChangeable } from './decide.ts';
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
      if_match: ctx.if_match,
      idempotency: ctx.idempotency,
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
export function staleAuthentication(row: Row, columns: Row): Row {
  const changes = (column: string): boolean => column in columns && columns[column] !== row[column];
  if (!changes('amount_cents') && !changes('amount_currency')) return {};
  return pick({}, authenticationColumns);
}

/** `PATCH /v2/payment_demands/{id}/confirm`: the payment becomes due; on a failed demand it is tried again. */
export const confirmPaymentDemand =
  (services: Services, update: Updater) =>
  async (ctx: RequestContext, id: string): Promise<Row> => {
    const row = await update({
      scope: ctx.scope,
      id,
      if_match: ctx.if_match,
      idempotency: ctx.idempotency,
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
      ...due(now),
      confirmed: 'true',
      payer_timezone: row.payer_timezone ?? settings.timezone,
    },
    events: row.status === 'failed' ? ['updated'] : ['created', 'updated'],
  };
}

/** Throws the 405 unless it is allowed. */
function refuseState({ status }: Row, action: string, allowed: boolean): void {
  if (allowed) return;
  const state = status as string;
  const standing = { noun: 'payment demand', state, actions: allowedActions(state) };
  throw wrongState(standing, action);
}
