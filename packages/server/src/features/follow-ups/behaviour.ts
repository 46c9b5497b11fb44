import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { createFollowUp, createFollowUpStore, type DecideFollowUp } from './create.ts';
import type { FollowUpKind } from './kinds.ts';

/** The create operation of one kind of follow-up. */
export function followUpBehaviour(
  services: Services,
  kind: FollowUpKind,
  decide: DecideFollowUp,
): Required<Pick<Behaviour, 'create'>> {
  const store = createFollowUpStore(services, kind, decide);
  return {
    create: ({ idempotency }, _input, record) =>
      createFollowUp(services, kind, store, { record, idempotency }),
  };
}
