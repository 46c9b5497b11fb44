import type {
  AuthorisationAnswer,
  AuthorisationRequest,
} from '@florin/contract/protocol/network.ts';
import { type AuthorisationHistory, decide } from '../decide.ts';

/** A payment as its card's issuer sees it. Amounts are ISO 4217 minor units. */
export interface CardUse {
  /** Selects the codes and ids of the network. */
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cvv?: string | undefined;
  readonly isMerchantInitiated: boolean;
  /** Proof of a cardholder's authentication. Absent proofs are not checked. */
  readonly proof?:
    | {
        readonly cryptogram: string;
        readonly eci?: string | undefined;
        readonly transactionId?: string | undefined;
      }
    | undefined;
  readonly wallet?:
    | { readonly kind: 'apple_pay' | 'google_pay'; readonly cryptogram: string }
    | undefined;
  /** Present for a merchant's network token. */
  readonly networkToken?: { readonly cryptogram?: string } | undefined;
  /** Value of `metadata.simulate`. */
  readonly simulate?: string | undefined;
}

/** Decision of the simulated network's issuer about one of Florin's sandbox cards. Deterministic. */
export const askIssuer = (
  use: CardUse,
  now: Date,
  history: AuthorisationHistory,
): AuthorisationAnswer => decide(networkRequestOf(use), now, history);

function networkRequestOf(use: CardUse): AuthorisationRequest {
  const { id, amount, currency, cvv, simulate, proof, wallet, networkToken } = use;
  return {
    reference: id,
    amount,
    currency,
    capture: false,
    card: {
      number: use.number,
      expiry_month: String(use.expiryMonth),
      expiry_year: String(use.expiryYear),
      ...(cvv && { cvv }),
    },
    ...(simulate && { simulate }),
    ...(proof && { authentication: authenticationOf(proof) }),
    ...(wallet && { wallet }),
    ...(networkToken && { network_token: networkToken }),
    ...(use.isMerchantInitiated && {
      initiated_by_merchant: { original_transaction_id: 'known' },
    }),
  };
}

const authenticationOf = ({
  eci = '05',
  cryptogram,
  transactionId,
}: NonNullable<CardUse['proof']>) => ({
  eci,
  cavv: cryptogram,
  ...(transactionId && { transaction_id: transactionId }),
});
