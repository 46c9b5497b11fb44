import {
  type AuthenticationRequest,
  type AuthorisationRequest,
  networkPaths,
} from '@florin/contract/protocol/network.ts';
import { placeholders } from '@florin/contract/protocol/vault.ts';
import type {
  AttemptInput,
  AuthenticateInput,
  AuthoriseInput,
  CardRequest,
  WireRequest,
} from '../processor.ts';
import { timeouts } from './metadata.ts';

const headers = { 'content-type': 'application/json' } as const;

const cardPlaceholders = {
  number: placeholders.pan,
  expiry_month: placeholders.expiry_month,
  expiry_year: placeholders.expiry_year,
} as const;

export function authoriseRequest(simulatorUrl: string, input: AuthoriseInput): CardRequest {
  const { attempt_id, amount, currency, capture } = input;
  const authentication = authenticationOf(input);
  const body: AuthorisationRequest = {
    reference: attempt_id,
    amount,
    currency,
    card: { ...cardPlaceholders, cvv: placeholders.cvv },
    capture,
    ...(authentication && { authentication }),
  };
  const url = simulatorUrl + networkPaths.authorisations;
  return { method: 'POST', url, headers, body, timeout_ms: timeouts.authorise };
}

function authenticationOf({
  authentication,
}: AuthoriseInput): AuthorisationRequest['authentication'] {
  const { eci, cryptogram, directory_transaction_eid } = authentication ?? {};
  if (!eci) return undefined;
  return {
    eci,
    ...(cryptogram && { cavv: cryptogram }),
    ...(directory_transaction_eid && { transaction_id: directory_transaction_eid }),
  };
}

export function authenticateRequest(simulatorUrl: string, input: AuthenticateInput): CardRequest {
  const { attempt_id, amount, currency } = input;
  const body: AuthenticationRequest = {
    reference: attempt_id,
    amount,
    currency,
    card: cardPlaceholders,
  };
  const url = simulatorUrl + networkPaths.authentications;
  return { method: 'POST', url, headers, body, timeout_ms: timeouts.authenticate };
}

export const inquireRequest = (
  simulatorUrl: string,
  { attempt_id }: AttemptInput,
): WireRequest => ({
  method: 'GET',
  url: `${simulatorUrl}${networkPaths.authorisations}/${attempt_id}`,
  headers: {},
  timeout_ms: timeouts.inquire,
});

export const reverseRequest = (
  simulatorUrl: string,
  { attempt_id }: AttemptInput,
): WireRequest => ({
  method: 'POST',
  url: simulatorUrl + networkPaths.reverse(attempt_id),
  headers: {},
  timeout_ms: timeouts.reverse,
});
