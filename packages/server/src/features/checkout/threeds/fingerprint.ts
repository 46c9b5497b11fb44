import { authenticationMachine } from '@florin/contract/machines/authentication.ts';
import type { FingerprintAnswer } from '@florin/contract/protocol/frame.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { instantText } from '../../../platform/time/clock.ts';
import { sendPlain } from '../../../processors/wire/send-plain.ts';
import { findMounted, isOpen } from '../mounted.ts';
import type { MountSession } from '../session.ts';
import { createAuthenticationRow } from './begin.ts';
import { changeAuthentication, lockAuthentication } from './record.ts';
import type { AuthenticationKey } from './signed-references.ts';
import { addressesOf, type ThreeDSecure } from './threeds.ts';

/**
 * Looks up the fingerprinting page of a card range's issuer, and begins an authentication for it.
 */
export async function beginFingerprint(
  threeds: ThreeDSecure,
  session: MountSession,
  bin: string,
): Promise<FingerprintAnswer> {
  const { services } = threeds;
  const directory = services.processorOf(session.scope.mode);
  const mountedRecord = await findMounted(services.db, session.scope, session.payment_id);
  if (session.threeds === 'off' || !directory || !mountedRecord || !isOpen(mountedRecord, session))
    return {};
  const amount = Number(mountedRecord.row.amount_cents);
  const message = directory.cardRange.mapRequest({ bin, amount });
  const { method_url } = directory.cardRange.mapAnswer(await sendPlain(message));
  if (!method_url) return {};
  // The session expires by the system clock. Stored times follow the payer's clock.
  const now = services.clock.now();
  const remainingTime = session.expires - services.system_clock.now();
  const row: Row = {
    ...createAuthenticationRow(session, mountedRecord.table, now),
    status: authenticationMachine.initial,
    card_bin: bin,
    bank_url: method_url,
    due_at: instantText(now + remainingTime),
  };
  await insertRows(services.db, services.catalog, 'authentications', [row]);
  const { handle, method_page } = addressesOf(threeds, { ...session.scope, id: row.id as string });
  return { authentication: handle, page_url: method_page };
}

/** Records that the issuer's page has completed its fingerprinting. */
export async function endFingerprint(
  { services }: ThreeDSecure,
  key: AuthenticationKey,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const row = await lockAuthentication(tx, key);
    if (row?.status !== 'started') return;
    const change = { trigger: 'fingerprint', set: { bank_url: null } };
    await changeAuthentication(services, tx, row, services.clock.now(), change);
  });
}
