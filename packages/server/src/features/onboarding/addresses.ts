import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Services } from '../../services.ts';
import { checkRegion } from '../customers/regions.ts';
import { plainBehaviour } from '../records/plain.ts';

/**
 * Creates and changes addresses of businesses and people. Throws 422 if the state is not in the
 * address's country.
 */
export function legalAddressBehaviour(services: Services, model: Model): Behaviour {
  const { create } = plainBehaviour(services, model);
  return {
    async create(ctx, input, row) {
      checkRegion(row);
      return create(ctx, input, row);
    },
  };
}
