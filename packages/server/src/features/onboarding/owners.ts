import { problem } from '@florin/contract/errors.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { violatedConstraint } from '../../platform/database/wire/constraints.ts';
import type { Services } from '../../services.ts';
import { plainBehaviour } from '../records/plain.ts';

/**
 * Owners of a merchant: each person once, at most 100 % in total. The database enforces both rules,
 * because concurrent requests do not see each other.
 */
export function beneficialOwnerBehaviour(services: Services, model: Model): Behaviour {
  const { create } = plainBehaviour(services, model);
  return {
    async create(ctx, input, row) {
      try {
        return await create(ctx, input, row);
      } catch (error) {
        throw refusals[violatedConstraint(error) ?? '']?.() ?? error;
      }
    },
  };
}

const refusals: Readonly<Record<string, () => Error>> = {
  beneficial_owners_person: () =>
    problem(
      'already_owner',
      'This person is already an owner of the merchant. Update the existing owner.',
      {
        pointer: '/data/relationships/personal_identification',
      },
    ),
  beneficial_owners_whole: () =>
    problem('more_than_whole', 'The shares of all owners must be at most 100 percent together.', {
      pointer: '/data/attributes/ownership_percentage',
    }),
};
