import { cardNetworks } from '@florin/contract/card/networks.ts';
import { alpha2Codes } from '@florin/contract/countries.ts';
import { currencyNumbers } from '@florin/contract/currencies.ts';
import { walletKinds } from '@florin/contract/protocol/vault.ts';
import { AMOUNT_MAX } from '@florin/contract/risk/amounts.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type MemberParser, oneOf, optional, readBody, text } from '../../../http/body.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { PaymentFacts } from '../../../processors/route.ts';
import type { Services } from '../../../services.ts';
import { changeRules, type RuleDraft } from '../../processor-accounts/change-rules.ts';
import { routePayment } from '../../processor-accounts/route-payment.ts';
import { RULES_MAX, ruleOf } from '../../processor-accounts/rules.ts';
import { selectRules } from '../../processor-accounts/sql.ts';
import { createListMember, idMember, orNull } from './members.ts';
import { fresh, OPERATOR_PATH } from './operator-action.ts';

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
    withoutUndefined(readBody(value ?? {}, conditionMembers)),
  ),
  accounts: accountIds,
};

const rules: MemberParser<readonly RuleDraft[]> = (value) => {
  if (!Array.isArray(value) || value.length > RULES_MAX)
    return { code: 'invalid', predicate: `must be a list of at most ${RULES_MAX} rules` };
  return {
    value: value.map((item) => {
      const rule = readBody(item, ruleMembers);
      return { ...rule, merchant_id: orNull(rule.merchant_id) };
    }),
  };
};

const factMembers = {
  merchant_id: idMember,
  amount,
  currency: oneOf(currencies),
  network: optional(oneOf(networks)),
  issuer_country: optional(oneOf(alpha2Codes)),
  wallet: optional(oneOf(walletKinds)),
  initiator: optional(oneOf(initiators)),
};

/** Operators' routes for the rules that choose accounts, and their preview. */
export function registerRouting(fastify: FastifyInstance, services: Services): void {
  const { db } = services;
  fastify.get(`${OPERATOR_PATH}/routing/:mode`, async (request) => {
    const mode = modeOf(request);
    const rows = await selectRules(db, RULES_MAX);
    return { data: rows.filter((row) => row.mode === mode).map(ruleOf) };
  });
  fastify.put(`${OPERATOR_PATH}/routing/:mode`, fresh, async (request, reply) => {
    const mode = modeOf(request);
    await changeRules(services, mode, readBody(request.body, { rules }).rules);
    return reply.status(204).send();
  });
  fastify.post(`${OPERATOR_PATH}/routing/:mode/preview`, fresh, async (request) => {
    const facts = withoutUndefined(readBody(request.body, factMembers));
    return { data: routePayment(services, { ...facts, mode: modeOf(request) } as PaymentFacts) };
  });
}

function modeOf({ params }: FastifyRequest): PaymentFacts['mode'] {
  const { mode } = params as { readonly mode: string };
  if (mode !== 'live' && mode !== 'sandbox') throw notFound();
  return mode;
}

/** Leaves out members without a value. */
const withoutUndefined = <T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
