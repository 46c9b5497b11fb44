import { sandboxCardByNumber } from '@florin/contract/card/sandbox-cards.ts';
import type {
  AuthenticationAnswer,
  AuthenticationRequest,
  TransStatus,
} from '@florin/contract/protocol/network.ts';
import { THREEDS_VERSION } from '@florin/contract/protocol/threeds.ts';
import { cryptogramOf, namedUuid } from './derive.ts';
import type { Behaviour, IssuerResult } from './threeds/behaviours.ts';
import { indicatorOf } from './threeds/indicators.ts';

const transStatuses = {
  frictionless: 'Y',
  rejected: 'N',
  challenge: 'C',
  unattempted: 'R',
  unavailable: 'U',
  attempted: 'A',
  informational: 'I',
} as const satisfies Record<Exclude<IssuerResult, 'not_enrolled'>, TransStatus>;

/** Payment data that a successful authentication proves. */
export interface AuthenticationSubject {
  readonly reference: string;
  readonly number: string;
  readonly amount: number;
  readonly currency: string;
}

/** Members of an authentication response, or of a challenge result, that depend on `transStatus`. */
export function describeOutcome<Status extends TransStatus>(
  { reference, number, amount, currency }: AuthenticationSubject,
  trans_status: Status,
) {
  const ds_trans_id = namedUuid(`directory ${reference}`);
  const isLiabilityShifted = trans_status === 'Y' || trans_status === 'A';
  const subject = { transactionId: ds_trans_id, number, amount, currency };
  return {
    trans_status,
    message_version: THREEDS_VERSION,
    ds_trans_id,
    acs_trans_id: namedUuid(`access control ${reference}`),
    eci: indicatorOf(number, trans_status),
    ...(isLiabilityShifted && { cavv: cryptogramOf(subject) }),
  };
}

/** Response of the directory server. Depends only on the request: a repeated request gets the same response. */
export function authenticate(
  request: AuthenticationRequest,
  behaviour: Behaviour = {},
): AuthenticationAnswer {
  const { number } = request.card;
  const result =
    behaviour.result ?? sandboxCardByNumber(number)?.threeds ?? ('not_enrolled' as const);
  if (result === 'not_enrolled') {
    return { enrolled: false, message_version: THREEDS_VERSION, eci: indicatorOf(number) };
  }
  const { reference, amount, currency } = request;
  const subject = { reference, number, amount, currency };
  return { enrolled: true, ...describeOutcome(subject, transStatuses[result]) };
}
