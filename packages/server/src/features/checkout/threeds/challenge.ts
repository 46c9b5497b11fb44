import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import {
  type ChallengeWindow,
  CREQ_FIELD,
  METHOD_FIELD,
  THREEDS_VERSION,
} from '@florin/contract/protocol/threeds.ts';
import type { Row } from '../../../platform/database/row.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { forbidsFrames } from '../../../processors/frameable.ts';
import type { MountSession } from '../session.ts';
import { answerOf } from './answer.ts';
import type { AuthenticationFinding } from './decide.ts';
import { recordFinding } from './record.ts';
import type { AuthenticationKey } from './signed-references.ts';
import { addressesOf, type ThreeDSecure } from './threeds.ts';

/**
 * Response to a form that polls its authentication or sends an action. Undefined for an
 * authentication of another form.
 */
export async function answerForm(
  threeds: ThreeDSecure,
  session: MountSession,
  handle: string,
  finding?: AuthenticationFinding,
): Promise<VerifyAnswer | undefined> {
  const authentication = await findOwnAuthentication(threeds, session, handle);
  if (!authentication) return undefined;
  const key = { ...session.scope, id: authentication.id as string };
  const row = finding ? await recordFinding(threeds.services, key, finding) : authentication;
  const answer = await answerOf(threeds, session.scope, row ?? authentication);
  return authentication.mount_nonce === session.nonce ? answer : answer && withoutCard(answer);
}

/** The authentication of a form's payment, found by signed reference. */
export async function findOwnAuthentication(
  { services, signed_references }: ThreeDSecure,
  { scope, payment_id }: MountSession,
  handle: string,
): Promise<Row | undefined> {
  const key = signed_references.read('browser', handle);
  if (key?.merchant_id !== scope.merchant_id || key.mode !== scope.mode) return undefined;
  const row = await findRow(services.db, 'authentications', scope, key.id);
  return row?.payment_id === payment_id ? row : undefined;
}

/**
 * Removes the card from a response. Anyone who knows a payment can mount a form and continue its
 * challenge. Only the form in which the card was entered may show the card.
 */
function withoutCard(answer: VerifyAnswer): VerifyAnswer {
  const { payment_demand, payment_subscription, code, message } = answer.detail;
  const payment = {
    ...(payment_demand && { payment_demand }),
    ...(payment_subscription && { payment_subscription }),
  };
  const detail = { ...payment, ...(code && { code }), ...(message && { message }) };
  return { ...answer, detail } as VerifyAnswer;
}

/** A page of the issuer that the browser opens with a POST. */
export interface BankVisit {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The issuer's fingerprinting page. Undefined after the query to the issuer. */
export async function findMethodVisit(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
): Promise<BankVisit | undefined> {
  const row = await findRow(threeds.services.db, 'authentications', key, key.id);
  if (row?.status !== 'started' || !row.bank_url) return undefined;
  const data = {
    threeDSServerTransID: key.id,
    threeDSMethodNotificationURL: addressesOf(threeds, key).method_return,
  };
  return { url: row.bank_url, fields: { [METHOD_FIELD]: base64url(data) } };
}

/** Place of the issuer's challenge page: a frame of this size, or a tab. */
export type ChallengeDisplay = ChallengeWindow | 'tab';

/**
 * The issuer's challenge page. Undefined if the authentication has none or the challenge has ended.
 */
export async function findChallengeVisit(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
  display: ChallengeDisplay,
): Promise<BankVisit | 'unframeable' | undefined> {
  const row = await findRow(threeds.services.db, 'authentications', key, key.id);
  if (row?.status !== 'challenged' || !row.bank_url) return undefined;
  if (display !== 'tab' && (await forbidsFrames(row.bank_url))) return 'unframeable';
  const creq = {
    messageType: 'CReq',
    messageVersion: THREEDS_VERSION,
    threeDSServerTransID: key.id,
    acsTransID: row.acs_transaction_eid as string,
    challengeWindowSize: display === 'tab' ? FULL_WINDOW : display,
  };
  const fields = { [CREQ_FIELD]: base64url(creq), threeDSSessionData: base64url({ id: key.id }) };
  return { url: row.bank_url, fields };
}

const FULL_WINDOW: ChallengeWindow = '05';

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
