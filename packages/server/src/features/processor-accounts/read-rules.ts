import { cardNetworks } from '@florin/contract/card/networks.ts';
import { alpha2Codes } from '@florin/contract/countries.ts';
import { currencyNumbers } from '@florin/contract/currencies.ts';
import { ProblemError } from '@florin/contract/errors.ts';
import { type Mode, walletKinds } from '@florin/contract/protocol/vault.ts';
import { AMOUNT_MAX } from '@florin/contract/risk/amounts.ts';
import { flag, type MemberParser, oneOf, optional, readBody, text } from '../../http/body.ts';
import type { PaymentFacts } from '../../processors/route.ts';
import { FALLBACK_DEFAULT, fallbacks } from '../../processors/routing-rule.ts';
import type { RuleDraft } from './change-rules.ts';
import { createListMember, idMember, orNull } from './members.ts';
import { RULES_MAX } from './rules.ts';

const NAME_MAX = 100;
const ACCOUNTS_PER_RULE_MAX = 10;
const networks = cardNetworks.map(({ brand }) => brand);
const currencies = [...currencyNumbers.keys()];
const initiators = ['payer', 'merchant'] as const;

const amount: MemberParser<number> = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= AMOUNT_MAX
    ? { value: value as number }
    : { code: 'invalid', predicate: `must be minor units, 0 to ${AMOUNT_MAX}` };

const conditionMembers = {
  currencies: optional(createListMember(currencies)),
  networks: optional(createListMember(networks)),
  issuer_countries: optional(createListMember(alpha2Codes)),
  wallets: optional(createListMember(walletKinds)),
  initiators: optional(createListMember(initiators)),
  amount_min: optional(amount),
  amount_max: optional(amount),
};

const createNestedMember =
  <T>(parse: (value: unknown) => T): MemberParser<T> =>
  (value) => ({ value: parse(value) });

const accountIds: MemberParser<readonly string[]> = (value) => {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= ACCOUNTS_PER_RULE_MAX;
  return isList && value.every((id) => typeof id === 'string')
    ? { value: [...new Set(value as string[])] }
    : { code: 'invalid', predicate: `must be a list of 1 to ${ACCOUNTS_PER_RULE_MAX} account ids` };
};

const ruleMembers = {
  name: text(NAME_MAX),
  merchant_id: optional(idMember),
  conditions: createNestedMember((value) =>
    withoutUndefined(readBody(value ?? {}, conditionMembers, 'conditions')),
  ),
  accounts: accountIds,
  fallback: optional(oneOf(fallbacks)),
};

const rules: MemberParser<readonly RuleDraft[]> = (value) => {
  if (!Array.isArray(value) || value.length > RULES_MAX)
    return { code: 'invalid', predicate: `must be a list of at most ${RULES_MAX} rules` };
  return {
    value: value.map((item, at) => {
      const rule = readRule(item, at);
      const { merchant_id, fallback = FALLBACK_DEFAULT } = rule;
      return { ...rule, merchant_id: orNull(merchant_id), fallback };
    }),
  };
};

/** Errors name the rule by its position. */
function readRule(item: unknown, at: number) {
  try {
    return readBody(item, ruleMembers, 'The rule');
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(
      error.problems.map((one) => ({ ...one, detail: `rules[${at}]: ${one.detail}` })),
    );
  }
}

const factMembers = {
  merchant_id: idMember,
  amount,
  currency: oneOf(currencies),
  network: optional(oneOf(networks)),
  issuer_country: optional(oneOf(alpha2Codes)),
  wallet: optional(oneOf(walletKinds)),
  network_token: optional(flag),
  initiator: optional(oneOf(initiators)),
};

/** Reads the rules of a mode from the member `rules`. Throws 422 with all invalid members. */
export const readRules = (body: unknown): readonly RuleDraft[] => readBody(body, { rules }).rules;

/** Reads the facts of a payment to route. Throws 422 with all invalid members. */
export const readFacts = (body: unknown, mode: Mode): PaymentFacts =>
  ({ ...withoutUndefined(readBody(body, factMembers, 'The payment')), mode }) as PaymentFacts;

/** Leaves out members without a value. */
const withoutUndefined = <T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
