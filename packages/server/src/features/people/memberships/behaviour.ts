import type { Behaviour } from '../../../jsonapi/behaviour.ts';
import type { Services } from '../../../services.ts';
import { createChanges } from './change.ts';
import { inviteMember } from './invite.ts';

/**
 * Members of a merchant: invited by email address, with permissions that can be changed and
 * removed.
 */
export function membershipBehaviour(services: Services): Behaviour {
  const { update, remove, resend } = createChanges(services);
  return {
    create: (ctx, input, record) => inviteMember(services, ctx, input, record),
    update,
    actions: { remove, resend },
  };
}
