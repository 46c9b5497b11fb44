import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { createFollowUps, type DecideFollowUp } from './create.ts';
import type { FollowUpKind } from './kinds.ts';

/** Create of one kind of follow-up, which a worker claims a moment later. */
export function followUpBehaviour(
  services: Services,
  kind: FollowUpKind,
  decide: DecideFollowUp,
): Required<Pick<Behaviour, 'create'>> {
  const follow = createFollowUps(services, kind, decide);
  return {
    async create({ idempotency }, _input, record) {
      const row = await follow({ record, idempotency });
      services.wake[kind.operation].raise();
      services.wake.deliver.raise();
      return row;
    },
  };
}
