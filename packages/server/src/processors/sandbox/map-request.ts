import { type AuthorisationRequest, networkPaths } from '@florin/contract/protocol/network.ts';
import type { CardFields } from '@florin/contract/protocol/vault.ts';
import type { AttemptInput, AuthoriseInput, CardRequest, WireRequest } from '../processor.ts';
import { authenticationFields, type Blank, blankCard, headers } from './message.ts';
import { timeouts } from './metadata.ts';

const authorisationFields: CardFields = { ...authenticationFields, '/card/cvv': 'cvv' };

export function authoriseRequest(simulatorUrl: string, input: AuthoriseInput): CardRequest {
  const { attempt_id, amount, currency, capture } = input;
  const authentication = authenticationOf(input);
  const body: Blank<AuthorisationRequest> = {
    reference: attempt_id,
    amount,
    currency,
    card: { ...blankCard, cvv: null },
    capture,
    ...(authentication && { authentication }),
  };
  const url = simulatorUrl + networkPaths.authorisations;
  const card_fields = authorisationFields;
  return { method: 'POST', url, headers, body, card_fields, timeout_ms: timeouts.authorise };
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
