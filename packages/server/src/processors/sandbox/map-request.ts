import { type AuthorisationRequest, networkPaths } from '@florin/contract/protocol/network.ts';
import type { CardFields } from '@florin/contract/protocol/vault.ts';
import type { CardRequest, WireRequest } from '../port/message.ts';
import type { AttemptInput, AuthoriseInput } from '../port/processor.ts';
import { authenticationFields, type BlankMessage, blankCard, headers } from './message.ts';
import { timeouts } from './metadata.ts';

const authorisationFields: CardFields = { ...authenticationFields, '/card/cvv': 'cvv' };
const walletFields: CardFields = { '/wallet/cryptogram': 'cryptogram', '/wallet/eci': 'eci' };
const networkTokenFields: CardFields = {
  '/network_token/cryptogram': 'cryptogram',
  '/network_token/eci': 'eci',
};

export function toAuthoriseRequest(simulatorUrl: string, input: AuthoriseInput): CardRequest {
  const { attempt_id, amount, currency, capture, simulate, initiated_by_merchant, wallet } = input;
  const { sent_at, network_token, merchant_id, payment_id } = input;
  const body: BlankAuthorisation = {
    reference: attempt_id,
    amount,
    currency,
    card: hasCvv(input) ? { ...blankCard, cvv: null } : blankCard,
    capture,
    ...(initiated_by_merchant ? initiationOf(initiated_by_merchant) : authenticationOf(input)),
    ...(wallet && { wallet: blankWallet(wallet) }),
    ...(network_token && { network_token: blankProof(network_token) }),
    ...(simulate !== undefined && { simulate }),
    ...(sent_at !== undefined && { sent_at }),
    ...(merchant_id && payment_id && { order: { merchant: merchant_id, payment: payment_id } }),
  };
  const url = simulatorUrl + networkPaths.authorisations;
  const card_fields = {
    ...(hasCvv(input) ? authorisationFields : authenticationFields),
    ...(wallet?.cryptogram && walletFields),
    ...(network_token?.cryptogram && networkTokenFields),
  };
  return { method: 'POST', url, headers, body, card_fields, timeout_ms: timeouts.authorise };
}

/** Whether the payer gave a verification value. Network tokens have none. */
const hasCvv = ({ initiated_by_merchant, network_token }: AuthoriseInput): boolean =>
  !initiated_by_merchant && !network_token;

type BlankAuthorisation = Omit<BlankMessage<AuthorisationRequest>, 'wallet' | 'network_token'> & {
  readonly wallet?: ReturnType<typeof blankWallet>;
  readonly network_token?: ReturnType<typeof blankProof>;
};

const blankProof = ({ cryptogram }: { readonly cryptogram: boolean }) =>
  cryptogram ? { cryptogram: null, eci: null } : {};

const blankWallet = ({ kind, cryptogram }: NonNullable<AuthoriseInput['wallet']>) => ({
  kind,
  ...blankProof({ cryptogram }),
});

type Part<Name extends keyof AuthorisationRequest> = Pick<AuthorisationRequest, Name>;

const initiationOf = ({
  network_transaction_id,
}: NonNullable<AuthoriseInput['initiated_by_merchant']>): Part<'initiated_by_merchant'> => ({
  initiated_by_merchant: { original_transaction_id: network_transaction_id },
});

function authenticationOf({ authentication }: AuthoriseInput): Part<'authentication'> {
  const { eci, cryptogram, directory_transaction_eid } = authentication ?? {};
  if (!eci) return {};
  return {
    authentication: {
      eci,
      ...(cryptogram && { cavv: cryptogram }),
      ...(directory_transaction_eid && { transaction_id: directory_transaction_eid }),
    },
  };
}

export const toInquireRequest = (
  simulatorUrl: string,
  { attempt_id }: AttemptInput,
): WireRequest => ({
  method: 'GET',
  url: `${simulatorUrl}${networkPaths.authorisations}/${attempt_id}`,
  headers: {},
  timeout_ms: timeouts.inquire,
});

export const toReverseRequest = (
  simulatorUrl: string,
  { attempt_id }: AttemptInput,
): WireRequest => ({
  method: 'POST',
  url: simulatorUrl + networkPaths.reverse(attempt_id),
  headers: {},
  timeout_ms: timeouts.reverse,
});
