import { problem } from '@florin/contract/errors.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { lockMerchant } from '../merchants/sql/merchants.ts';
import { insertActionEntry } from './sql/merchants.ts';

/** An operator's action on a merchant: operator, merchant and reason. */
export interface OperatorAction {
  readonly account_id: string;
  readonly merchant_id: string;
  /** Idempotency key: a repeated request has no further effect. */
  readonly request_key: string;
  readonly reason: string;
}

/** Facts of an action for the audit log. */
export interface AuditedAction {
  readonly kind: string;
  readonly mode?: Scope['mode'];
  readonly red_flag_id?: string;
  /** Further parameters of the action. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** Context of an operator's action; the merchant is locked. */
export interface ActionContext {
  readonly tx: Db;
  readonly merchant: Row;
  readonly now: Micros;
}

/**
 * Runs and audits an operator's action in one transaction; a repeated action has no effect. Throws
 * 404 for an unknown merchant, and 409 if another action used the key.
 */
export function runOperatorAction(
  { db, system_clock }: Pick<Services, 'db' | 'system_clock'>,
  operatorAction: OperatorAction,
  auditedAction: AuditedAction,
  change: (context: ActionContext) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, operatorAction.merchant_id);
    if (!merchant) throw notFound();
    const now = system_clock.now();
    const requestedEntry = {
      merchant_id: operatorAction.merchant_id,
      kind: auditedAction.kind,
      mode: auditedAction.mode ?? null,
      red_flag_id: auditedAction.red_flag_id ?? null,
      reason: operatorAction.reason,
      details: JSON.stringify(auditedAction.details ?? {}),
    };
    const { account_id, request_key } = operatorAction;
    const entry = {
      ...requestedEntry,
      account_id,
      request_key,
      id: uuidv7(now),
      at: instantText(now),
    };
    const earlierEntry = await insertActionEntry(tx, entry);
    if (!earlierEntry) return change({ tx, merchant, now });
    const isSame = Object.entries(requestedEntry).every(
      ([name, value]) => earlierEntry[name] === value,
    );
    if (!isSame) throw keyOfOtherAction();
  });
}

const keyOfOtherAction = () =>
  problem(
    'idempotency_conflict',
    'The idempotency key was used for another request. Use a new key.',
    {
      header: 'Idempotency-Key',
    },
  );
