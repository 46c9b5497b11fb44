import type { RequestSender } from '../../../http/request-log.ts';
import { timelineOfId } from '../../timelines/timeline-of.ts';
import { mountedTables } from '../mounted.ts';
import type { MountSession, MountSessions } from '../session.ts';
import type { AuthenticationKey } from '../threeds/signed-references.ts';
import type { ThreeDSecure } from '../threeds/threeds.ts';

/** A mounted form, with services at its payer's time. */
export interface FormSession {
  readonly session: MountSession;
  readonly threeds: ThreeDSecure;
}

/**
 * Parses a session. Undefined if forged, malformed or expired. Sessions expire by the system clock,
 * since a person has the form open.
 */
export async function readFormSession(
  sessions: MountSessions,
  threeds: ThreeDSecure,
  text: string,
): Promise<FormSession | undefined> {
  const { services } = threeds;
  const session = sessions.read(text, services.system_clock.now());
  if (!session) return undefined;
  const timeline = await timelineOfId(services, session.scope, mountedTables, session.payment_id);
  return { session, threeds: { ...threeds, services: timeline } };
}

/** Merchant of a form, and its publishable key if the form was opened with one. */
export const senderOf = ({
  scope,
  token_id,
  customer_links_epoch,
}: MountSession): RequestSender => ({
  ...scope,
  ...(customer_links_epoch === undefined && { key_id: token_id }),
});

/** 3-D Secure with services at the payer's time. */
export async function threedsOf(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
): Promise<ThreeDSecure> {
  const services = await timelineOfId(threeds.services, key, ['authentications'], key.id);
  return { ...threeds, services };
}
