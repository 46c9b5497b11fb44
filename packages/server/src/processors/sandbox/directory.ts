import {
  type AuthenticationAnswer,
  type AuthenticationRequest,
  type CardRangeAnswer,
  type CardRangeRequest,
  type ChallengeResult,
  networkPaths,
  type ResultReceipt,
} from '@florin/contract/protocol/network.ts';
import { THREEDS_VERSION } from '@florin/contract/protocol/threeds.ts';
import {
  parseResultSignature,
  RESULT_SIGNATURE_HEADER,
  signedResultText,
} from '@florin/contract/protocol/threeds-results.ts';
import { createSigner } from '../../platform/crypto/signer.ts';
import {
  type AuthenticateInput,
  type AuthenticateResult,
  type CardRange,
  type CardRangeInput,
  type ChallengeOutcome,
  type Directory,
  issuerUnavailableResult,
  type ResultMessage,
} from '../port/directory.ts';
import type { CardRequest, WireAnswer, WireRequest } from '../port/message.ts';
import { isIdOrCode } from '../port/read-answer.ts';
import { authenticationFields, type BlankMessage, blankCard, headers } from './message.ts';
import { timeouts } from './metadata.ts';
import { bodyOf } from './read-answer.ts';

/** The adapter to the simulated directory server. */
export const createSandboxDirectory = (simulatorUrl: string): Directory => ({
  cardRange: {
    mapRequest: (input) => cardRangeRequest(simulatorUrl, input),
    mapAnswer: toCardRange,
  },
  authenticate: {
    mapRequest: (input) => authenticateRequest(simulatorUrl, input),
    mapAnswer: toAuthenticateResult,
  },
  sentAt,
  readOutcome,
  receiptOf: ({ attempt_id }): ResultReceipt => ({ reference: attempt_id, results_status: '01' }),
});

function cardRangeRequest(simulatorUrl: string, { bin, amount }: CardRangeInput): WireRequest {
  const body: CardRangeRequest = { bin, amount };
  const url = simulatorUrl + networkPaths.cardRanges;
  return { method: 'POST', url, headers, body, timeout_ms: timeouts.cardRange };
}

function toCardRange(answer: WireAnswer): CardRange {
  if (answer.outcome !== 'answered') return {};
  const { method_url } = bodyOf<CardRangeAnswer>(answer.status, answer.body) ?? {};
  return isWebAddress(method_url) ? { method_url } : {};
}

function authenticateRequest(simulatorUrl: string, input: AuthenticateInput): CardRequest {
  const { attempt_id, amount, currency, browser } = input;
  const body: BlankMessage<AuthenticationRequest> = {
    reference: attempt_id,
    amount,
    currency,
    card: blankCard,
    ...(browser && { browser }),
  };
  const url = simulatorUrl + networkPaths.authentications;
  const card_fields = authenticationFields;
  return { method: 'POST', url, headers, body, card_fields, timeout_ms: timeouts.authenticate };
}

const resultByStatus = new Map([
  ['Y', 'authenticated'],
  ['A', 'authenticated'],
  ['N', 'rejected'],
  ['R', 'rejected'],
  ['C', 'challenge'],
  ['U', 'not_authenticated'],
  ['I', 'not_authenticated'],
] as const);

function toAuthenticateResult(answer: WireAnswer): AuthenticateResult {
  if (answer.outcome !== 'answered') return issuerUnavailableResult;
  const body = bodyOf<AuthenticationAnswer>(answer.status, answer.body) ?? {};
  const { enrolled, trans_status: status, message_version: version, eci, acs_url } = body;
  if (version !== THREEDS_VERSION || !isIdOrCode(eci)) return issuerUnavailableResult;
  if (enrolled === false) return { result: 'not_enrolled', version, status: 'not_enrolled', eci };
  const result = status && resultByStatus.get(status);
  if (!result) return issuerUnavailableResult;
  const proof = proofOf(result, body);
  if (result === 'authenticated' && !isProven(proof)) return issuerUnavailableResult;
  return {
    result,
    version,
    status,
    eci,
    ...proof,
    ...(result === 'challenge' && isWebAddress(acs_url) && { acs_url }),
  };
}

/** Cryptogram and ids of a successful authentication. With any other status a cryptogram proves nothing. */
const proofOf = (
  result: AuthenticateResult['result'],
  { cavv, ds_trans_id, acs_trans_id }: Partial<AuthenticationAnswer | ChallengeResult>,
) => ({
  ...(result === 'authenticated' && isIdOrCode(cavv) && { cryptogram: cavv }),
  ...(isIdOrCode(ds_trans_id) && { directory_transaction_eid: ds_trans_id }),
  ...(isIdOrCode(acs_trans_id) && { acs_transaction_eid: acs_trans_id }),
});

/** Whether an authentication has the members that the network requires. */
const isProven = ({ cryptogram, directory_transaction_eid }: ReturnType<typeof proofOf>): boolean =>
  cryptogram !== undefined && directory_transaction_eid !== undefined;

const outcomeByStatus = new Map([
  ['Y', 'authenticated'],
  ['A', 'authenticated'],
  ['N', 'rejected'],
  ['R', 'rejected'],
  ['U', 'unavailable'],
] as const);

const cancelReasonByCode = new Map([
  ['01', 'cardholder'],
  ['04', 'timeout'],
  ['05', 'timeout'],
  ['06', 'error'],
] as const);

const OK = 200;

function sentAt({ headers, body }: ResultMessage, keys: readonly string[]): number | undefined {
  const parsed = parseResultSignature(headers[RESULT_SIGNATURE_HEADER] ?? '');
  if (!parsed) return undefined;
  const { sent_at, signature } = parsed;
  const text = signedResultText(sent_at, body);
  const isMadeWith = (key: string): boolean =>
    createSigner(Buffer.from(key)).isSignatureOf(text, signature);
  return keys.some(isMadeWith) ? sent_at : undefined;
}

function readOutcome(message: unknown): ChallengeOutcome | undefined {
  const body = bodyOf<ChallengeResult>(OK, message) ?? {};
  const { reference, trans_status: status, message_version: version, eci } = body;
  const result = status && outcomeByStatus.get(status);
  if (!isIdOrCode(reference) || !result || version !== THREEDS_VERSION || !isIdOrCode(eci))
    return undefined;
  const cancel = body.challenge_cancel && cancelReasonByCode.get(body.challenge_cancel);
  const proof = proofOf(result, body);
  return {
    attempt_id: reference,
    result: result === 'authenticated' && !isProven(proof) ? 'unavailable' : result,
    version,
    status,
    eci,
    ...proof,
    ...(cancel && { cancel }),
  };
}

const ADDRESS_CHARS_MAX = 500;

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= ADDRESS_CHARS_MAX &&
  /^https?:\/\/[\x21-\x7e]+$/.test(value) &&
  URL.canParse(value);
