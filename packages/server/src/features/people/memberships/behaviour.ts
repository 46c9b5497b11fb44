import type { Behaviour } from '../../../jsonapi/behaviour.ts';
import type { Services } from '../../../services.ts';
import { createChanges } from './change.ts';
import { createInvite } from './invite.ts';

/** Who may do what for a merchant: people are invited by an address, and their rights changed and taken. */
export function membershipBehaviour(services: Services): Behaviour {
  const { update, remove, resend } = createChanges(services);
  return { create: createInvite(services), update, actions: { remove, resend } };
}
