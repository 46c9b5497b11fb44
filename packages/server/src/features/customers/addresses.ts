import { problem } from '@florin/contract/errors.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { anyRowWith } from '../../store/rows.ts';
import { plainBehaviour } from '../records/plain.ts';
import type { Services } from '../services.ts';

const ADDRESS_COLUMNS = ['billing_address_id', 'shipping_address_id'] as const;

/** An address that a payment has used is part of that payment's record and stays as it is. */
export function consumerAddressBehaviour(services: Services, model: Model): Behaviour {
  const plain = plainBehaviour(services, model);
  return {
    ...plain,
    async update(ctx, id, input, columns) {
      if (await anyRowWith(services.db, 'payment_demands', ctx.scope, ADDRESS_COLUMNS, id)) {
        throw problem('immutable', 'A payment uses this address. Create a new one instead.', {
          pointer: '/data',
        });
      }
      return (plain.update as NonNullable<Behaviour['update']>)(ctx, id, input, columns);
    },
  };
}
