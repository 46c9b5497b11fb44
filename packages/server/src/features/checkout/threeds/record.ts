import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import { insertRecords } from '../../../platform/database/create.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyText } from '../../../platform/database/row-key.ts';
import { lockRows, transition } from '../../../platform/database/transition.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { cardColumns } from '../../payment-methods/behaviour.ts';
import { changeMethod } from '../../payment-methods/change-method.ts';
import { eventAbout } from '../../records/emit.ts';
import {
  type AuthenticationFinding,
  type AuthenticationVerdict,
  decideVerdict,
  type ExternalState,
} from './decide.ts';
import type { AuthenticationKey } from './signed-references.ts';

/** The authenticated card. Has no payment method before the issuer's response. */
export interface NewCard {
  readonly card: CardDescription;
  readonly customer_id: string | null;
  readonly address_id: string | null;
}

/**
 * Records a finding about an authentication and its effect on the card in one transaction. Returns
 * the authentication afterwards, even if unchanged. Undefined if it does not exist.
 */
export async function recordFinding(
  services: Services,
  key: AuthenticationKey,
  finding: AuthenticationFinding,
  card?: NewCard,
): Promise<Row | undefined> {
  const { db, clock, wake } = services;
  const changedRow = await db.transaction(async (tx) => {
    const row = await lockAuthentication(tx, key);
    return row && applyFinding(services, tx, { row, finding, now: clock.now(), card });
  });
  wake.deliver.raise();
  return changedRow;
}

export async function lockAuthentication(tx: Db, key: AuthenticationKey): Promise<Row | undefined> {
  const row = (await lockRows(tx, 'authentications', [key])).get(keyText(key));
  return row?.mode === key.mode ? row : undefined;
}

export interface FindingContext {
  /** The authentication, locked by the transaction. */
  readonly row: Row;
  readonly finding: AuthenticationFinding;
  readonly now: Micros;
  readonly card?: NewCard | undefined;
}

/** Records a finding in the caller's transaction. */
export async function applyFinding(
  services: Services,
  tx: Db,
  { row, finding, now, card }: FindingContext,
): Promise<Row> {
  const challenge_limit = services.config.challenge_limit_ms * 1000;
  const verdict = decideVerdict(row, finding, { now, challenge_limit });
  if (!verdict) return row;
  const payment_method_id = await finishMethod(services, tx, { row, verdict, now, card });
  return changeAuthentication(services, tx, row, now, {
    ...verdict,
    set: { ...verdict.set, ...(payment_method_id && { payment_method_id }) },
  });
}

/** Changes a locked authentication. */
export async function changeAuthentication(
  { catalog }: Pick<Services, 'catalog'>,
  tx: Db,
  rowBefore: Row,
  now: Micros,
  { trigger, set }: Pick<AuthenticationVerdict, 'trigger' | 'set'>,
): Promise<Row> {
  const options = {
    table: 'authentications',
    at: instantText(now),
  };
  const change = { before: rowBefore, set, ...(trigger !== undefined && { trigger }) };
  const [changedRow] = await transition(tx, catalog, options, [change]);
  return changedRow as Row;
}

interface MethodOutcome {
  readonly row: Row;
  readonly verdict: AuthenticationVerdict;
  readonly now: Micros;
  readonly card: NewCard | undefined;
}

/** Creates or updates the card's payment method. Returns its id. */
async function finishMethod(
  services: Services,
  tx: Db,
  { row, verdict: { external_state }, now, card }: MethodOutcome,
): Promise<string | undefined> {
  if (card && external_state) return createMethod(services, tx, { row, now, card, external_state });
  if (external_state && row.payment_method_id)
    await updateMethod(services, tx, row, external_state, now);
  return undefined;
}

interface NewMethod {
  readonly row: Row;
  readonly now: Micros;
  readonly card: NewCard;
  readonly external_state: ExternalState;
}

async function createMethod(
  { catalog, models }: Services,
  tx: Db,
  { row, now, card: { card, customer_id, address_id }, external_state }: NewMethod,
): Promise<string> {
  const id = uuidv7(now);
  const at = instantText(now);
  const method: Row = {
    merchant_id: row.merchant_id as string,
    mode: row.mode as string,
    id,
    customer_id,
    address_id,
    external_state,
    ...cardColumns(card),
    created_at: at,
    updated_at: at,
  };
  const events = [eventAbout(models.get('payment_methods'), method, 'created', now)];
  await insertRecords(tx, catalog, 'payment_methods', [{ row: method, events }]);
  return id;
}

function updateMethod(
  services: Services,
  tx: Db,
  { merchant_id, payment_method_id }: Row,
  external_state: ExternalState,
  now: Micros,
): Promise<void> {
  const key = { merchant_id: merchant_id as string, id: payment_method_id as string };
  return changeMethod(services, tx, key, now, (before) =>
    before.external_state === external_state ? undefined : { external_state },
  );
}
