import { problem } from '@florin/contract/errors.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { plainBehaviour, updaterOf } from '../records/plain.ts';
import { removeRecord } from './removal.ts';

/** Velocity limits. Limits of amounts have a currency; limits of counts have none. */
export function velocityLimitBehaviour(services: Services, model: Model): Behaviour {
  const baseBehaviour = plainBehaviour(services, model);
  const update = updaterOf(services, model);
  return {
    async create(ctx, input, record) {
      checkCurrencyOf(record);
      return baseBehaviour.create(ctx, input, record);
    },
    actions: { remove: (ctx, id) => removeRecord(update, ctx, id) },
  };
}

function checkCurrencyOf({ kind, amount_currency }: Row): void {
  const isAmount = kind === 'card_amount';
  if (isAmount === !!amount_currency) return;
  const source = { pointer: '/data/attributes/amount_currency' };
  throw isAmount
    ? problem('blank', 'A limit of amounts needs amount_currency.', source)
    : problem(
        'invalid',
        `A limit of ${kind} counts payments of every currency. Leave amount_currency out.`,
        source,
      );
}
