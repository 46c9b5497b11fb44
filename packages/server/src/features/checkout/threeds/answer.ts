import type {
  ChallengeInvitation,
  SdkEventDetail,
  VerifyAnswer,
} from '@florin/contract/protocol/frame.ts';
import type { Row } from '../../../platform/database/row.ts';
import { findNewestRow, findRow } from '../../../platform/database/rows.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { type MountedTable, mountedReference } from '../mounted.ts';
import { attachCard } from './attach-card.ts';
import { addressesOf, type ThreeDSecure } from './threeds.ts';

/**
 * Response to the form about an authentication. Undefined while the query to the issuer is in
 * flight.
 */
export async function answerOf(
  threeds: ThreeDSecure,
  scope: Scope,
  storedRow: Row,
): Promise<VerifyAnswer | undefined> {
  const row = await attachCard(threeds.services, storedRow);
  const detail = await detailOf(threeds, scope, row);
  switch (row.status) {
    case 'authenticated':
    case 'unauthenticated':
      return row.failure_code ? refusedAnswer(row.failure_code) : { result: 'verified', detail };
    case 'failed':
    case 'abandoned':
    case 'timed_out':
      return { result: 'failed', detail: { ...detail, ...codeDetail(row.failure_code) } };
    case 'errored':
      return refusedAnswer(row.failure_code ?? 'card_not_verified');
    case 'challenged':
      return { result: 'challenge', detail, challenge: invitationOf(threeds, scope, row) };
    default:
      return undefined;
  }
}

/** The open challenge of a payment, for a form that the payer opens again. */
export async function findOpenChallenge(
  threeds: ThreeDSecure,
  scope: Scope,
  payment_id: string,
): Promise<ChallengeInvitation | undefined> {
  const openChallengeFilter = { payment_id, status: 'challenged' };
  const row = await findNewestRow(
    threeds.services.db,
    'authentications',
    scope,
    openChallengeFilter,
  );
  return row && invitationOf(threeds, scope, row);
}

function invitationOf(threeds: ThreeDSecure, scope: Scope, row: Row): ChallengeInvitation {
  const addresses = addressesOf(threeds, { ...scope, id: row.id as string });
  const { handle, challenge_page, challenge_tab } = addresses;
  return { authentication: handle, page_url: challenge_page, tab_url: challenge_tab };
}

async function detailOf(
  { services }: ThreeDSecure,
  scope: Scope,
  { payment_table, payment_id, payment_method_id }: Row,
): Promise<SdkEventDetail> {
  const payment = mountedReference({
    table: payment_table as MountedTable,
    row: { id: payment_id as string },
  });
  if (!payment_method_id) return payment;
  const method = await findRow(services.db, 'payment_methods', scope, payment_method_id);
  return method ? { ...payment, ...cardDetail(method) } : payment;
}

const cardDetail = (method: Row): SdkEventDetail => ({
  payment_method: method.id as string,
  brand: method.kind as string,
  card_bin: method.card_bin as string,
  last_four: method.last_four as string,
  expiry_month: Number(method.expiry_month),
  expiry_year: Number(method.expiry_year),
  card_pan_token: method.card_pan_token as string,
  ...(method.card_cvv_token && { card_cvv_token: method.card_cvv_token }),
});

const messageByCode: Readonly<Record<string, string>> = {
  invalid_card: 'Check the card number and expiry date.',
  payment_closed: 'This payment accepts no more cards.',
  payment_changed: 'The amount has changed. Check it and enter the card again.',
  sealed_card_expired: 'The form was open for too long. Enter the card again.',
  authentication_failed: 'Your bank did not approve this card.',
  authentication_required:
    'This card does not support the bank check that the shop requires. Try another card.',
  card_not_verified: 'The card could not be checked right now. Try again in a moment.',
  abandoned: 'The payment took too long. Try again.',
  challenge_cancelled: 'You cancelled the check by your bank. Try again, or use another card.',
  challenge_failed: 'Your bank could not confirm your identity. Try again, or use another card.',
  challenge_timeout: 'The check by your bank took too long. Try again.',
  challenge_replaced: 'A card was entered elsewhere for this payment.',
  challenge_error: 'The check by your bank failed. Try again, or use another card.',
  challenge_unavailable:
    'Your bank asks for an extra step that is not available here. Try another card.',
};

const UNREADABLE = 'The card could not be read. Reload the page and enter it again.';

const codeDetail = (code: string | null | undefined): SdkEventDetail =>
  code ? { code, message: messageByCode[code] ?? UNREADABLE } : {};

/** Response for an unusable card, with a text for the cardholder. */
export const refusedAnswer = (code: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message: messageByCode[code] ?? UNREADABLE },
});
