import { worldOfId } from '../features/clocks/world-of.ts';
import { mountedTables } from '../features/hosted/mounted.ts';
import type { MountSession, Sessions } from '../features/hosted/session.ts';
import type { AuthenticationKey } from '../features/threeds/handles.ts';
import type { ThreeDSecure } from '../features/threeds/threeds.ts';

/** A form that is open, and what serves it at the time of its payer. */
export interface FormSession {
  readonly session: MountSession;
  readonly threeds: ThreeDSecure;
}

/** Undefined where the session is forged, malformed or over, by the clock of its payer. */
export async function formSession(
  sessions: Sessions,
  threeds: ThreeDSecure,
  text: string,
): Promise<FormSession | undefined> {
  const signed = sessions.read(text, 0);
  if (!signed) return undefined;
  const { services } = threeds;
  const world = await worldOfId(services, signed.scope, mountedTables, signed.payment_id);
  const session = sessions.read(text, world.clock.now());
  return session && { session, threeds: { ...threeds, services: world } };
}

/** What serves an authentication at the time of its payer. */
export async function threedsOf(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
): Promise<ThreeDSecure> {
  const services = await worldOfId(threeds.services, key, ['authentications'], key.id);
  return { ...threeds, services };
}
