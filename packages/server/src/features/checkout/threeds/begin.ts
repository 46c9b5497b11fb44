import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { findNewestRow, insertRows } from '../../../platform/database/rows.ts';
import { violatedConstraint } from '../../../platform/database/wire/constraints.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import type { MountedRecord } from '../mounted.ts';
import type { MountSession } from '../session.ts';
import { applyFinding, changeAuthentication, lockAuthentication } from './record.ts';
import type { AuthenticationKey } from './signed-references.ts';
import { lockOpenAuthentications } from './sql.ts';

/** A card that the payer entered in a form. */
export interface EnteredCard {
  readonly mountedRecord: MountedRecord;
  readonly session: MountSession;
  readonly card: CardDescription;
  /** The cardholder's time zone (IANA name). */
  readonly timezone: string;
  /** The issuer's fingerprinting of the browser, if the issuer has it. */
  readonly fingerprint: AuthenticationKey | undefined;
  /** The form's own id of this attempt. The form may abandon the attempt by this id. */
  readonly attempt?: string | undefined;
  /** Hashed counters that a decline of the card is counted for. */
  readonly try_counters: string;
}

/** The authentication of an entered card. `isNew`: this request created the row. */
export interface StartedAuthentication {
  readonly row: Row;
  readonly isNew: boolean;
  /** Result of the issuer's method page: completed (Y), failed (N) or no such page (U). */
  readonly method_completion: 'Y' | 'N' | 'U';
}

/**
 * Seconds after which a query without a response counts as failed. The query's messages time out
 * earlier.
 */
const QUERY_SECONDS = 30;
/** Retries after conflicts with repeated requests and other browser tabs. */
const TRIES_MAX = 5;
const raceConstraints: readonly unknown[] = [
  'authentications_card',
  'authentications_open',
  'authentications_attempt',
];

/**
 * Begins the authentication of an entered card, once even if the card is sent again. Abandons other
 * open authentications of the payment, since the latest card counts. An attempt that the form
 * abandoned in advance does not begin.
 */
export async function beginAuthentication(
  services: Services,
  entry: EnteredCard,
): Promise<StartedAuthentication> {
  for (let attempts = 1; ; attempts++) {
    const row = await findAuthentication(services.db, entry);
    if (row) return { row, isNew: false, method_completion: 'U' };
    try {
      return await services.db.transaction((tx) => startAuthentication(services, tx, entry));
    } catch (error) {
      if (attempts >= TRIES_MAX || !raceConstraints.includes(violatedConstraint(error)))
        throw error;
    }
  }
}

async function findAuthentication(
  db: Db,
  { session, card, attempt }: EnteredCard,
): Promise<Row | undefined> {
  const { card_pan_token } = card;
  const row = await findNewestRow(db, 'authentications', session.scope, { card_pan_token });
  return row ?? (attempt === undefined ? undefined : findAttempt(db, session, attempt));
}

/** Finds an authentication by the form's id of its attempt. */
export const findAttempt = (
  db: Db,
  { scope, nonce }: MountSession,
  attempt: string,
): Promise<Row | undefined> =>
  findNewestRow(db, 'authentications', scope, { mount_nonce: nonce, attempt });

async function startAuthentication(
  services: Services,
  tx: Db,
  entry: EnteredCard,
): Promise<StartedAuthentication> {
  const { session, fingerprint } = entry;
  const now = services.clock.now();
  for (const row of await lockOpenAuthentications(tx, session.scope, session.payment_id)) {
    await applyFinding(services, tx, { row, finding: { kind: 'replacement' }, now });
  }
  const fingerprintRow = fingerprint && (await lockAuthentication(tx, fingerprint));
  const changes = queryColumns(entry, now);
  if (fingerprintRow && isFingerprintOf(fingerprintRow, entry)) {
    const method_completion = fingerprintRow.status === 'fingerprinted' ? 'Y' : 'N';
    const row = await changeAuthentication(services, tx, fingerprintRow, now, {
      trigger: 'ask',
      set: changes,
    });
    return { row, isNew: true, method_completion };
  }
  const row = {
    ...createAuthenticationRow(session, entry.mountedRecord.table, now),
    ...changes,
    status: 'asking',
  };
  await insertRows(tx, services.catalog, 'authentications', [row]);
  return { row, isNew: true, method_completion: 'U' };
}

/**
 * Whether the fingerprinting belongs to this payment and issuer. Fingerprinting for another payment
 * or issuer is ignored.
 */
const isFingerprintOf = (fingerprintRow: Row, { session, card }: EnteredCard): boolean =>
  fingerprintRow.payment_id === session.payment_id &&
  fingerprintRow.card_bin === card.card_bin &&
  (fingerprintRow.status === 'started' || fingerprintRow.status === 'fingerprinted');

const queryColumns = (
  { mountedRecord, session, card, timezone, attempt, try_counters }: EnteredCard,
  now: Micros,
): Row => ({
  card_pan_token: card.card_pan_token,
  card_bin: card.card_bin,
  amount_cents: mountedRecord.row.amount_cents as string,
  amount_currency: mountedRecord.row.amount_currency as string,
  // The browser of a member says nothing about the payer.
  payer_timezone: session.by_member ? null : timezone,
  threeds_policy: session.threeds,
  mount_nonce: session.nonce,
  customer_links_epoch: session.customer_links_epoch?.toString() ?? null,
  attempt: attempt ?? null,
  try_counters,
  bank_url: null,
  asked_at: instantText(now),
  due_at: instantText(now + seconds(QUERY_SECONDS)),
});

/** Row of a new authentication without results. */
export function createAuthenticationRow(
  { scope, payment_id, nonce }: MountSession,
  payment_table: MountedRecord['table'],
  now: Micros,
): Row {
  const at = instantText(now);
  const id = uuidv7(now);
  const { merchant_id, mode } = scope;
  const mount_nonce = nonce;
  return {
    merchant_id,
    mode,
    id,
    payment_table,
    payment_id,
    mount_nonce,
    created_at: at,
    updated_at: at,
  };
}
