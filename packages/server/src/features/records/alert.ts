import { accountAlertMachine } from '@florin/contract/machines/account-alert.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';

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
