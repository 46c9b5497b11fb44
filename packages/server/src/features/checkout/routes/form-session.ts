import { worldOfId } from '../../timelines/world-of.ts';
import { mountedTables } from '../mounted.ts';
import type { MountSession, Sessions } from '../session.ts';
import type { AuthenticationKey } from '../threeds/handles.ts';
import type { ThreeDSecure } from '../threeds/threeds.ts';

/** A form that is open, and what serves it at the time of its payer. */
export interface FormSession {
  readonly session: MountSession;
  readonly threeds: ThreeDSecure;
}

/** Undefined where the session is forged, malformed or over, by the machine's clock: a person has the form open. */
export async function formSession(
  sessions: Sessions,
  threeds: ThreeDSecure,
  text: string,
): Promise<FormSession | undefined> {
  const { services } = threeds;
  const session = sessions.read(text, services.machine.now());
  if (!session) return undefined;
  const world = await worldOfId(services, session.scope, mountedTables, session.payment_id);
  return { session, threeds: { ...threeds, services: world } };
}

/** What serves an authentication at the time of its payer. */
export async function threedsOf(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
): Promise<ThreeDSecure> {
  const services = await worldOfId(threeds.services, key, ['authentications'], key.id);
  return { ...threeds, services };
}
