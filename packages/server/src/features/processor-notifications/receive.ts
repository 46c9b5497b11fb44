import { createHash } from 'node:crypto';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { AccountNotifications, RawNotification } from '../../processors/port/notifications.ts';
import type { Services } from '../../services.ts';
import { deleteRefusals } from '../processor-accounts/sql/refusals.ts';
import type { Refusals } from './refusals.ts';
import { insertNotification } from './sql/notifications.ts';

export interface ReceiveServices
  extends Pick<Services, 'accounts' | 'db' | 'relay' | 'system_clock' | 'wake'> {
  readonly refusals: Refusals;
}

/** Whether a notification is stored. `refused`: it has no valid signature; only its hash is kept. */
export type NotificationReceipt =
  | { readonly result: 'stored'; readonly acknowledgement: string }
  | { readonly result: 'no_account' }
  | { readonly result: 'refused' };

/**
 * Verifies a notification and stores it as it arrived. Repeated ones are acknowledged again. Throws `VaultUnavailable`
 * if the signature cannot be checked now.
 */
export async function receiveNotification(
  services: ReceiveServices,
  account_id: string,
  notification: RawNotification,
): Promise<NotificationReceipt> {
  const account = services.accounts.find(account_id);
  const { notifications } = account?.processor ?? {};
  if (!account || account.status === 'removed' || !notifications) return { result: 'no_account' };
  const hash = createHash('sha256').update(notification.body).digest('hex');
  const why = await refusalOf(services, account, notifications, notification);
  const now = services.system_clock.now();
  if (why) {
    services.refusals.add({ account_id, hash, why, at: now });
    return { result: 'refused' };
  }
  await insertNotification(services.db, {
    id: uuidv7(now),
    processor_account_id: account_id,
    mode: account.mode,
    hash,
    body: Buffer.from(notification.body).toString('base64'),
    received_at: instantText(now),
  });
  services.refusals.forget(account_id);
  await deleteRefusals(services.db, account_id, instantText(now));
  services.wake.notification.raise();
  return { result: 'stored', acknowledgement: notifications.acknowledgement ?? '' };
}

/** Why a notification cannot be trusted; undefined if all its signatures are valid. */
async function refusalOf(
  { relay }: ReceiveServices,
  { id: account_id, mode }: { readonly id: string; readonly mode: 'live' | 'sandbox' },
  { signaturesOf }: AccountNotifications,
  notification: RawNotification,
): Promise<string | undefined> {
  const checks = signaturesOf(notification) ?? [];
  if (checks.length === 0) return 'no_signature';
  for (const { secrets, check, only_if_stored } of checks) {
    const answer = await relay.verifySignature({ account_id, mode, secrets, check });
    if ('valid' in answer) {
      if (!answer.valid) return 'wrong_signature';
    } else if (!only_if_stored || answer.error !== 'credential_missing') {
      return answer.error;
    }
  }
  return undefined;
}
