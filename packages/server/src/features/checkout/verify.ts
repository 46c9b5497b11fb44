import type {
  VerifyAnswer,
  VerifyRequest,
  WalletRequest,
} from '@florin/contract/protocol/frame.ts';
import type { Row } from '../../platform/database/row.ts';
import { findSettings } from '../merchants/sql/callers.ts';
import { findClosedReason } from '../merchants/status-checks.ts';
import { sourceOf } from './card-source.ts';
import { findMounted, isOpen } from './mounted.ts';
import type { MountSession } from './session.ts';
import { answerOf, refusedAnswer } from './threeds/answer.ts';
import { beginAuthentication, findAttempt } from './threeds/begin.ts';
import { awaitAnswer, type BrowserHeaders, queryBank } from './threeds/query-bank.ts';
import type { ThreeDSecure } from './threeds/threeds.ts';
import type { Try } from './tries.ts';

/** The form that sends a card, with its counted attempt. */
export interface CardSender {
  readonly session: MountSession;
  readonly headers: BrowserHeaders;
  readonly cardAttempt: Try;
}

/**
 * Verifies a mounted form's card: the vault opens it, the issuer authenticates the cardholder, and
 * a new payment method is attached to the payment.
 * If the issuer demands a challenge, the form shows the challenge and calls again. A repeated card
 * gets the first result. Throws `TooManyTriesError`.
 */
export async function verifyCard(
  threeds: ThreeDSecure,
  { session, headers, cardAttempt }: CardSender,
  request: VerifyRequest | WalletRequest,
): Promise<VerifyAnswer> {
  const { services, signed_references } = threeds;
  const { timezone, authentication = '', attempt, browser } = request;
  const mountedRecord = await findMounted(services.db, session.scope, session.payment_id);
  const settings = await findSettings(services.db, session.scope);
  if (findClosedReason(services, session.scope, settings)) return refusedAnswer('payment_closed');
  if (!mountedRecord || !isOpen(mountedRecord, session)) return refusedAnswer('payment_closed');
  const { payer_id } = mountedRecord.row;
  if (payer_id) await cardAttempt.withPayer(payer_id);
  const earlierAuthentication = attempt && (await findAttempt(services.db, session, attempt));
  if (earlierAuthentication && earlierAuthentication.status === 'abandoned')
    return verifyAnswerOf(threeds, session, earlierAuthentication);
  const source = sourceOf(request, session, mountedRecord);
  if (!source) return refusedAnswer('payment_changed');
  const card = await services.relay.ingest({ ...session.scope, source });
  if ('error' in card) return refusedAnswer(card.error);
  await cardAttempt.withCard(card.fingerprint);
  const fingerprint = signed_references.read('browser', authentication);
  const { counters: try_counters } = cardAttempt;
  const entry = { mountedRecord, session, card, timezone, fingerprint, attempt, try_counters };
  const startedAuthentication = await beginAuthentication(services, entry);
  const row = startedAuthentication.isNew
    ? await queryBank(threeds, entry, startedAuthentication, browser && { ...browser, ...headers })
    : await awaitAnswer(services, session.scope, startedAuthentication.row);
  const answer = await verifyAnswerOf(threeds, session, row);
  if (answer.detail.code === 'authentication_failed') await cardAttempt.recordFailure();
  return answer;
}

const verifyAnswerOf = async (
  threeds: ThreeDSecure,
  { scope }: MountSession,
  row: Row,
): Promise<VerifyAnswer> =>
  (await answerOf(threeds, scope, row)) ?? refusedAnswer('card_not_verified');
