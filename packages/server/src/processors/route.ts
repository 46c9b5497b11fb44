import type { Mode, WalletKind } from '@florin/contract/protocol/vault.ts';
import type { RouteRefusal } from '@florin/contract/route-refusals.ts';
import type { ProcessorAccount } from './accounts.ts';
import type { Money } from './port/message.ts';
import { FALLBACK_DEFAULT, type Fallback, type RoutingRule } from './routing-rule.ts';

/** The simulated network, which needs no account. */
export const NETWORK = 'network';
/** Processor accounts that one payment may use, the first and one to fall back on. */
const CANDIDATES_MAX = 2;

/** Facts about a payment that decide its route. */
export interface PaymentFacts extends Money {
  readonly merchant_id: string;
  readonly mode: Mode;
  /** Network of the card; absent before the card is known. */
  readonly network?: string;
  /** Country of the card's issuer, ISO 3166-1 alpha-2; absent if unknown. */
  readonly issuer_country?: string;
  readonly wallet?: WalletKind;
  /** Whether the card is a network token of the merchant. */
  readonly network_token?: boolean;
  readonly initiator?: 'payer' | 'merchant';
}

/** Accounts for a payment, and the reason. */
export interface Route {
  /** Name of the rule that decided; null without a matching rule. */
  readonly rule: string | null;
  /** Ids of the accounts in order, at most two; `network` is the simulated network. */
  readonly candidates: readonly string[];
  /** When the second candidate is asked. */
  readonly fallback: Fallback;
  /** Accounts that were considered and cannot take the payment. */
  readonly refused: readonly { readonly account: string; readonly why: RouteRefusal }[];
}

export interface RoutingTable {
  /** Accounts that may take payments of the merchant, the preferred first. */
  readonly accounts: readonly ProcessorAccount[];
  /** Rules in order. */
  readonly rules: readonly RoutingRule[];
  /** Whether the mode has the simulated network. */
  readonly has_network: boolean;
}

/**
 * Chooses the accounts for a payment. The first matching rule decides. Without one, the simulated network takes the
 * payment where it exists, otherwise the accounts in their order.
 */
export function routeOf(
  facts: PaymentFacts,
  { accounts, rules, has_network }: RoutingTable,
): Route {
  const rule = rules.find((candidate) => matches(facts, candidate));
  const considered = rule?.accounts ?? (has_network ? [NETWORK] : accounts.map(({ id }) => id));
  const verdicts = [...new Set(considered)].map((account) => ({
    account,
    why: refusalOf(facts, account, accounts, has_network),
  }));
  return {
    rule: rule?.name ?? null,
    candidates: verdicts
      .filter(({ why }) => why === undefined)
      .map(({ account }) => account)
      .slice(0, CANDIDATES_MAX),
    fallback: fallbackFor(facts, rule?.fallback ?? FALLBACK_DEFAULT),
    refused: verdicts.flatMap(({ account, why }) => (why ? [{ account, why }] : [])),
  };
}

/** A network token of the payer keeps its decline: the first message has used up the cryptogram. */
const fallbackFor = ({ network_token, initiator }: PaymentFacts, fallback: Fallback): Fallback =>
  fallback === 'declined' && network_token && initiator !== 'merchant' ? 'not_sent' : fallback;

function matches(facts: PaymentFacts, { merchant_id, mode, conditions }: RoutingRule): boolean {
  const { currencies, networks, issuer_countries, wallets, initiators } = conditions;
  const { amount_min = 0, amount_max = Number.POSITIVE_INFINITY } = conditions;
  return (
    mode === facts.mode &&
    (merchant_id === null || merchant_id === facts.merchant_id) &&
    isIn(facts.currency, currencies) &&
    isIn(facts.network, networks) &&
    isIn(facts.issuer_country, issuer_countries) &&
    isIn(facts.wallet, wallets) &&
    isIn(facts.initiator, initiators) &&
    facts.amount >= amount_min &&
    facts.amount <= amount_max
  );
}

/** An unknown fact matches no list. */
const isIn = (fact: string | undefined, list: readonly string[] | undefined): boolean =>
  list === undefined || (fact !== undefined && list.includes(fact));

function refusalOf(
  facts: PaymentFacts,
  id: string,
  accounts: readonly ProcessorAccount[],
  has_network: boolean,
): RouteRefusal | undefined {
  if (id === NETWORK) return has_network ? undefined : 'not_enabled';
  const account = accounts.find((candidate) => candidate.id === id);
  return account ? unfitReason(facts, account) : 'not_enabled';
}

/** Why an account cannot take a payment. A fact that is not known yet is no reason. */
function unfitReason(
  { amount, currency, network, wallet, network_token, initiator }: PaymentFacts,
  { currencies, networks, processor: { metadata } }: ProcessorAccount,
): RouteRefusal | undefined {
  const { capabilities, refused_currencies } = metadata;
  const takesCurrency =
    !refused_currencies.includes(currency) &&
    (metadata.currencies === 'all' || metadata.currencies.includes(currency)) &&
    (currencies?.includes(currency) ?? true);
  if (!takesCurrency) return 'currency';
  if (metadata.takesAmount?.({ amount, currency }) === false) return 'amount';
  const takesNetwork =
    network === undefined || (networks ?? metadata.networks).includes(network as never);
  if (!takesNetwork) return 'card_network';
  if (wallet && !capabilities.wallets.includes(wallet)) return 'wallet';
  if (network_token && !takesToken(capabilities.network_tokens, network)) return 'network_token';
  if (initiator === 'merchant' && !capabilities.merchant_initiated) return 'merchant_initiated';
  return undefined;
}

/** Whether tokens of the card's network are taken; of any network before the card is known. */
const takesToken = (networks: readonly string[], network: string | undefined): boolean =>
  network === undefined ? networks.length > 0 : networks.includes(network);
