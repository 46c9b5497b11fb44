import { accountAlertMachine } from '@florin/contract/machines/account-alert.ts';
import type { Catalog } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { type NotifiableChange, writeNotifiableChanges } from './notifiable-changes.ts';

/** Content of an alert: code, message, and the columns that name its subject. */
export interface AlertContent {
  readonly code: string;
  readonly message: string;
  readonly subject?: Row;
}

/** Row of `account_alerts` for the members of the merchant and mode of `owner`. */
export function newAlert(
  owner: Row,
  now: Micros,
  { code, message, subject: about }: AlertContent,
): Row {
  const at = instantText(now);
  return {
    merchant_id: owner.merchant_id ?? null,
    mode: owner.mode ?? null,
    id: uuidv7(now),
    status: accountAlertMachine.initial,
    code,
    message,
    ...about,
    created_at: at,
    updated_at: at,
  };
}

/** Code of the alert that a failing webhook is paused. */
export const WEBHOOK_PAUSED = 'webhook_subscription_paused';

/** Stores alerts, and notifies members. `system_now` is the time of the system clock. */
export async function insertAlerts(
  tx: Db,
  catalog: Catalog,
  alerts: readonly Row[],
  system_now: Micros,
): Promise<void> {
  await insertRows(tx, catalog, 'account_alerts', alerts);
  await writeNotifiableChanges(tx, system_now, alerts.map(changeOf));
}

const changeOf = (alert: Row): NotifiableChange =>
  alert.code === WEBHOOK_PAUSED
    ? { kind: 'webhook_paused', record: { ...alert, id: alert.webhook_subscription_id ?? null } }
    : { kind: 'account_alert', record: alert };
