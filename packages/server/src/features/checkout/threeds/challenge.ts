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
import { attachCard } from './attach-card.ts';
import type { Finding } from './decide.ts';
import type { AuthenticationKey } from './handles.ts';
import { recordFinding } from './record.ts';
import { addressesOf, type ThreeDSecure } from './threeds.ts';

/** What a form asks about its authentication, or what it does to it first; undefined where it is none of its own. */
export async function formAnswer(
  threeds: ThreeDSecure,
  session: MountSession,
  handle: string,
  finding?: Finding,
): Promise<VerifyAnswer | undefined> {
  const known = await ownAuthentication(threeds, session, handle);
  if (!known) return undefined;
  const key = { ...session.scope, id: known.id as string };
  const row = finding ? await recordFinding(threeds.services, key, finding) : known;
  const answer = await answerOf(threeds, session.scope, row ?? known);
  return known.mount_nonce === session.nonce ? answer : answer && withoutCard(answer);
}

/** The authentication of a form's payment that a handle names. */
export async function ownAuthentication(
  { services, handles }: ThreeDSecure,
  { scope, payment_id }: MountSession,
  handle: string,
): Promise<Row | undefined> {
  const key = handles.read('browser', handle);
  if (key?.merchant_id !== scope.merchant_id || key.mode !== scope.mode) return undefined;
  const row = await findRow(services.db, 'authentications', scope, key.id);
  return row?.payment_id === payment_id ? row : undefined;
}

/**
 * Whoever knows a payment can mount a form for it and go on with its challenge, but the card is told to the form
 * alone in which it was entered.
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

/** A page of the bank that the browser is to open by posting fields to it. */
export interface BankVisit {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The bank's page that looks at the browser; undefined once the bank has been asked. */
export async function methodVisit(
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

/** Where the bank's challenge page is to be shown: in a frame of this size, or in a tab of its own. */
export type Showing = ChallengeWindow | 'tab';

/** The bank's challenge page; undefined where there is none to go through, or not any more. */
export async function challengeVisit(
  threeds: ThreeDSecure,
  key: AuthenticationKey,
  showing: Showing,
): Promise<BankVisit | 'unframeable' | undefined> {
  const row = await findRow(threeds.services.db, 'authentications', key, key.id);
  if (row?.status !== 'challenged' || !row.bank_url) return undefined;
  if (showing !== 'tab' && (await forbidsFrames(row.bank_url))) return 'unframeable';
  const creq = {
    messageType: 'CReq',
    messageVersion: THREEDS_VERSION,
    threeDSServerTransID: key.id,
    acsTransID: row.acs_transaction_eid as string,
    challengeWindowSize: showing === 'tab' ? FULL_WINDOW : showing,
  };
  const fields = { [CREQ_FIELD]: base64url(creq), threeDSSessionData: base64url({ id: key.id }) };
  return { url: row.bank_url, fields };
}

const FULL_WINDOW: ChallengeWindow = '05';

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Takes a message of the directory server about a challenge; gives its receipt, or undefined for what is no
 * such message. A result that comes late, twice or about another transaction is received, and changes nothing.
 */
export async function takeOutcome(
  { services }: ThreeDSecure,
  key: AuthenticationKey,
  message: unknown,
): Promise<object | undefined> {
  const directory = services.processorOf(key.mode);
  const outcome = directory?.readOutcome(message);
  if (!directory || outcome?.attempt_id !== key.id) return undefined;
  const row = await recordFinding(services, key, { of: 'challenge', outcome });
  if (row) await attachLater(services, row);
  return directory.receiptOf(outcome);
}

/** The result stands whatever comes of the attachment; the form's next question tries that again. */
async function attachLater(services: ThreeDSecure['services'], row: Row): Promise<void> {
  await attachCard(services, row).catch((error: Error) => {
    const err = { message: error.message };
    services.logger.error({ authentication: row.id, err }, 'attaching a card failed');
  });
}
