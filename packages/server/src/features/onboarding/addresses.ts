import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Services } from '../../services.ts';
import { checkRegion } from '../customers/regions.ts';
import { plainBehaviour } from '../records/plain.ts';

/** Address of a business or a person; its state must belong to its country. */
export function legalAddressBehaviour(services: Services, model: Model): Behaviour {
  const { create } = plainBehaviour(services, model);
  return {
    async create(ctx, input, row) {
      checkRegion(row);
      return create(ctx, input, row);
    },
  };
}
