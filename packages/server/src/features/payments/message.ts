import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { RelayRequest, WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { AuthoriseInput, Processor } from '../../processors/port/processor.ts';
import type { PaymentFacts } from '../../processors/route.ts';
import type { Services } from '../../services.ts';
import { simulateOf } from '../attempts/new-attempt.ts';
import { isUnverified } from '../payment-methods/verified-as.ts';
import type { Candidate } from '../processor-accounts/route-payment.ts';
import { BY_WALLET, isProven } from './columns.ts';
import type { PayerFacts } from './payer/payer-facts.ts';

/**
 * A due payment with its card. Merchant-initiated charges also have the network transaction id of
 * the first approved payment.
 */
export interface PaymentToSend {
  readonly demand: Row;
  readonly method: Row;
  readonly first_approval?: string | undefined;
  /** Facts about the payer; absent for the simulated network, which ignores them. */
  readonly payer_facts?: PayerFacts | undefined;
  /** Time on the payer's timeline; absent if that is the system clock. */
  readonly sent_at?: string;
  /**
   * Whether the vault must still have the verification value: the first message had it, but never
   * arrived.
   */
  readonly requires_cvv?: boolean;
  /** Whether the card's customer and the payer were merged. */
  readonly merged_owner?: boolean;
  /** Number of the attempt among the payment's authorisations, from 1, which is the default. */
  readonly attempt_number?: number;
}

/** Message for the vault, with the processor that parses its response. */
export interface Message {
  readonly request: RelayRequest;
  readonly processor: Processor;
  /** Absent at the simulated network. */
  readonly account_id?: string;
}

/**
 * Reason why a payment must not be sent with this card; undefined if there is none. An unverified
 * card is no reason: the payment waits for the issuer.
 */
export function refusalOf({
  demand,
  method,
  first_approval,
  merged_owner,
}: PaymentToSend): DeclineCode | undefined {
  if (method.external_state === 'failed') return 'authentication_failed';
  const mayBeUsable = method.external_state === 'confirmed' || isUnverified(method);
  const isUsable = mayBeUsable && !method.discarded_at;
  const isOwn =
    !method.customer_id || method.customer_id === demand.payer_id || merged_owner === true;
  const isKnown = demand.initiator !== 'merchant' || first_approval !== undefined;
  if (!(isUsable && isOwn && isKnown)) return 'card_not_verified';
  return needsCryptogram(demand, method) && !method.card_cryptogram_token
    ? 'cryptogram_missing'
    : undefined;
}

const isNetworkToken = ({ network_token }: Row): boolean => network_token === 't';

/** Whether the issuer wants the cryptogram of a network token. The vault sends nothing without it. */
const needsCryptogram = (demand: Row, method: Row): boolean =>
  isNetworkToken(method) && demand.initiator !== 'merchant';

/** Builds the message of an attempt: the payment's amount under the attempt's id. */
export function messageOf(
  { message_signer }: Pick<Services, 'message_signer'>,
  { processor, account }: Candidate,
  attempt: Row,
  paymentToSend: PaymentToSend,
): Message {
  const { demand, method, requires_cvv = false } = paymentToSend;
  const id = attempt.id as string;
  const byMerchant = demand.initiator === 'merchant';
  const hasCvv = !!method.card_cvv_token && !byMerchant && !isNetworkToken(method);
  const request: RelayRequest = {
    id,
    merchant_id: demand.merchant_id as string,
    mode: demand.mode as 'live' | 'sandbox',
    card_pan_token: method.card_pan_token as string,
    ...(hasCvv && { card_cvv_token: method.card_cvv_token as string }),
    ...(method.card_cryptogram_token &&
      !byMerchant && { card_cryptogram_token: method.card_cryptogram_token }),
    consumes_cvv: true,
    requires_cvv: requires_cvv && hasCvv,
    not_after: Math.floor(microsOf(attempt.not_after as string) / 1000),
    ...processor.authorise.mapRequest({
      ...inputOf(id, paymentToSend),
      ...(account?.descriptor && { descriptor: account.descriptor }),
      idempotency_key: message_signer.sign(id),
    }),
  };
  return { request, processor, ...(account && { account_id: account.id }) };
}

function inputOf(
  id: string,
  { demand, method, first_approval, payer_facts, sent_at }: PaymentToSend,
): Omit<AuthoriseInput, 'idempotency_key'> {
  const simulate = simulateOf(demand);
  const byMerchant = demand.initiator === 'merchant' && first_approval !== undefined;
  return {
    attempt_id: id,
    payment_id: demand.id as string,
    merchant_id: demand.merchant_id as string,
    network: method.kind as CardBrand,
    ...payer_facts,
    amount: Number(demand.amount_cents),
    currency: demand.amount_currency as string,
    capture: demand.capture_method === 'automatic',
    ...(simulate !== undefined && { simulate }),
    ...(sent_at !== undefined && { sent_at }),
    ...(isNetworkToken(method) && {
      network_token: { cryptogram: needsCryptogram(demand, method) },
    }),
    ...(byMerchant
      ? { initiated_by_merchant: { network_transaction_id: first_approval } }
      : { ...proofOf(demand, method), ...channelOf(demand, method) }),
  };
}

/** Proof of the cardholder outweighs the channel: processors refuse MOTO with 3-D Secure or a wallet. */
function channelOf(demand: Row, { wallet }: Row): Pick<AuthoriseInput, 'sales_channel'> {
  const { sales_channel, threeds_status } = demand;
  const hasProof = isProven(demand) || threeds_status === BY_WALLET || Boolean(wallet);
  return sales_channel === 'telephone' && !hasProof ? { sales_channel } : {};
}

/** Authentication for the processor: the cryptogram of a wallet payment, or the issuer's result. */
function proofOf(demand: Row, method: Row): Pick<AuthoriseInput, 'authentication' | 'wallet'> {
  const cryptogram = demand.threeds_status === BY_WALLET;
  const kind = method.wallet as WalletKind | null | undefined;
  const wallet = kind && { wallet: { kind, cryptogram } };
  if (wallet && cryptogram) return wallet;
  return { authentication: authenticationOf(demand), ...wallet };
}

const authenticationOf = (demand: Row): NonNullable<AuthoriseInput['authentication']> => ({
  version: demand.threeds_version ?? null,
  status: demand.threeds_status ?? null,
  eci: demand.eci ?? null,
  cryptogram: demand.threeds_cryptogram ?? null,
  directory_transaction_eid: demand.directory_transaction_eid ?? null,
});

/** Facts that decide the route of a payment. */
export const factsOf = (demand: Row, method: Row): PaymentFacts => ({
  ...scopeOf(demand),
  amount: Number(demand.amount_cents),
  currency: demand.amount_currency as string,
  ...(method.kind && { network: method.kind }),
  ...(method.wallet && { wallet: method.wallet as WalletKind }),
  ...(isNetworkToken(method) && { network_token: true }),
  initiator: demand.initiator === 'merchant' ? 'merchant' : 'payer',
});
