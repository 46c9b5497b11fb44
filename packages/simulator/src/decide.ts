import { expiryOk } from '@florin/contract/card/expiry.ts';
import {
  isSandboxNetworkToken,
  type SandboxCard,
  type SandboxOutcome,
  sandboxCardByNumber,
} from '@florin/contract/card/sandbox-cards.ts';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
} from '@florin/contract/protocol/network.ts';
import { authorisationCodeOf, cryptogramOf, networkTransactionIdOf } from './derive.ts';
import { PARTIAL_RESPONSE_CODE, responseCodes } from './response-codes.ts';
import { approvedAmountOf } from './simulate.ts';
import { isWalletCryptogramValid } from './wallets/cryptogram.ts';

/** Earlier facts that an authorisation depends on. */
export interface AuthorisationHistory {
  /** Whether another authorisation used the same cryptogram. */
  readonly isReplayed?: boolean;
  /** Whether the earlier approval belongs to the same card. */
  readonly isOriginalKnown?: boolean;
  /** Reason for which the issuer declines, whatever the card. */
  readonly decline?: SandboxOutcome | undefined;
}

/** Decides an authorisation that is new to the issuer. Deterministic. */
export function decide(
  request: AuthorisationRequest,
  now: Date,
  history: AuthorisationHistory = {},
): AuthorisationAnswer {
  const card = sandboxCardByNumber(request.card.number);
  const known = card ? outcomeOf(card, request, now, history) : 'invalid_card';
  const outcome = history.decline ?? known;
  const { reference, amount } = request;
  const approved_amount = approvedAmountOf(request);
  const isPartial = outcome === 'approved' && approved_amount < amount;
  return {
    reference,
    result: outcome === 'approved' ? 'approved' : 'declined',
    response_code: isPartial ? PARTIAL_RESPONSE_CODE : responseCodes[outcome],
    ...(isPartial && { approved_amount }),
    ...(outcome === 'approved' && { authorisation_code: authorisationCodeOf(reference) }),
    network_transaction_id: networkTransactionIdOf(reference),
    avs: card ? avsOf(card) : 'U',
    cvc: card ? cvcOf(card, request) : 'P',
  };
}

function outcomeOf(
  card: SandboxCard,
  request: AuthorisationRequest,
  now: Date,
  { isReplayed, isOriginalKnown }: AuthorisationHistory,
): SandboxOutcome {
  const { expiry_month, expiry_year } = request.card;
  const at = request.sent_at === undefined ? now : new Date(request.sent_at);
  if (!expiryOk(Number(expiry_month), Number(expiry_year), at)) return 'expired_card';
  if (isSandboxNetworkToken(card) && !request.network_token) return 'invalid_card';
  if (lacksCryptogram(request)) return 'generic_decline';
  if (isReplayed || !isCryptogramValid(request) || !isDeviceCryptogramValid(request))
    return 'generic_decline';
  if (request.initiated_by_merchant && !isOriginalKnown) return 'generic_decline';
  return card.outcome;
}

function avsOf({ outcome, mismatch }: SandboxCard): AuthorisationAnswer['avs'] {
  if (mismatch === 'postal_code_mismatch') return 'A';
  if (mismatch === 'address_mismatch') return 'Z';
  return outcome === 'highest_risk' ? 'N' : 'Y';
}

function cvcOf(
  card: SandboxCard,
  { card: { cvv } }: AuthorisationRequest,
): AuthorisationAnswer['cvc'] {
  if (card.outcome === 'incorrect_cvc') return 'N';
  if (cvv === undefined) return 'P';
  return card.mismatch === 'cvc_mismatch' ? 'N' : 'M';
}

/** An authentication without an amount, as for card verification, is valid for any amount. */
function isCryptogramValid({
  authentication,
  card,
  amount,
  currency,
}: AuthorisationRequest): boolean {
  if (authentication?.cavv === undefined) return true;
  const subject = {
    transactionId: authentication.transaction_id ?? '',
    number: card.number,
    currency,
  };
  return [amount, 0].some(
    (provenAmount) => cryptogramOf({ ...subject, amount: provenAmount }) === authentication.cavv,
  );
}

/** A token's cryptogram proves that the merchant may use the token. Charges without the payer have none. */
const lacksCryptogram = ({ network_token, initiated_by_merchant }: AuthorisationRequest): boolean =>
  network_token !== undefined && !network_token.cryptogram && !initiated_by_merchant;

/** Checks the device's cryptogram. A request without a cryptogram is handled like any other card number. */
const isDeviceCryptogramValid = ({
  wallet,
  card: { number },
  amount,
  currency,
}: AuthorisationRequest): boolean =>
  wallet?.cryptogram === undefined ||
  isWalletCryptogramValid(wallet.cryptogram, { number, amount, currency });
