import type { AlertMessage } from '@florin/contract/alert-messages/alert-messages.ts';
import { accountAlertMachine } from '@florin/contract/machines/account-alert.ts';
import type { Catalog } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { alertTextIn } from './alert-texts.ts';
import { type NotifiableChange, writeNotifiableChanges } from './notifiable-changes.ts';

/** Content of an alert: message, its kind if that has another name, and the columns that name its subject. */
export interface AlertContent {
  readonly message: AlertMessage;
  readonly code?: string;
  readonly subject?: Row;
}

/** Row of `account_alerts` for the members of the merchant and mode of `owner`. */
export function newAlert(owner: Row, now: Micros, { subject, ...content }: AlertContent): Row {
  const at = instantText(now);
  return {
    merchant_id: owner.merchant_id ?? null,
    mode: owner.mode ?? null,
    id: uuidv7(now),
    ...alertColumns(content),
    ...subject,
    created_at: at,
    updated_at: at,
  };
}

/** Columns of a new alert that say what happened. */
export const alertColumns = ({
  message,
  code = message.code,
}: Omit<AlertContent, 'subject'>): Row => ({
  status: accountAlertMachine.initial,
  code,
  message: alertTextIn('en', message, asInterface) ?? null,
  message_code: message.code,
  message_parameters: JSON.stringify(message.parameters),
});

/** Instants and violations in the interface's form. */
const asInterface = { instant: (at: string) => at, violation: (name: string) => name };

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
