import { problem } from '@florin/contract/errors.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Db } from '../../platform/database/db.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findKeysInUse } from '../../platform/database/rows.ts';
import type { Services } from '../../services.ts';
import { plainBehaviour, updaterOf } from '../records/plain.ts';
import { conditionsOf, type UpdateItem } from '../records/updater.ts';
import { checkRegion } from './regions.ts';

const ADDRESS_COLUMNS = ['billing_address_id', 'shipping_address_id'] as const;

/**
 * Behaviour of addresses. An address of a payment is part of the payment's record and cannot
 * change.
 */
export function consumerAddressBehaviour(services: Services, model: Model): Behaviour {
  const plainActions = plainBehaviour(services, model);
  const update = updaterOf(services, model, { refuse: findUsedAddresses });
  return {
    async create(ctx, input, row) {
      checkRegion(row);
      return plainActions.create(ctx, input, row);
    },
    update: (ctx, id, _input, columns) =>
      update({
        ...conditionsOf(ctx, id),
        columns,
        decide(row, _now, changes) {
          if (changes.state || changes.country) checkRegion({ ...row, ...changes });
          return { set: changes, events: ['updated'] };
        },
      }),
  };
}

/**
 * Whether a payment uses a locked address. The payments' foreign key makes new uses wait for the
 * lock.
 */
async function findUsedAddresses(
  tx: Db,
  items: readonly UpdateItem[],
): Promise<ReadonlyMap<UpdateItem, Error>> {
  const keyOf = ({ scope, id }: UpdateItem) => ({ ...scope, id });
  const usedKeys = await findKeysInUse(tx, 'payment_demands', ADDRESS_COLUMNS, items.map(keyOf));
  const isUsed = (item: UpdateItem): boolean => usedKeys.has(keyText(keyOf(item)));
  return new Map(items.filter(isUsed).map((item) => [item, immutableError()]));
}

const immutableError = (): Error =>
  problem('immutable', 'A payment uses this address, so it cannot change. Create a new address.', {
    pointer: '/data',
  });
