import type { Mode } from '@florin/contract/protocol/vault.ts';
import {
  platformVelocity,
  type VelocityKind,
  type VelocityLimit,
} from '@florin/contract/risk/velocity.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { scopeOf, scopeText } from '../../platform/database/scope.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { decideRisk, type ListMatch, type RiskFacts, type RiskVerdict } from './decide.ts';
import {
  countVelocity,
  lockCards,
  lockVelocityLimits,
  riskFactsOf,
  type VelocityQuestion,
} from './sql.ts';
import {
  ATTEMPTS_READ_MAX,
  appliesTo,
  type Count,
  countKey,
  createTally,
  subjectOf,
} from './tally.ts';

/**
 * Verdicts of the risk rules, by payment. The caller has locked the payments in `tx`, or is about
 * to store them. `limitRows`: the merchants' velocity limits, where the caller has them.
 */
export async function assessRisk(
  tx: Db,
  demands: readonly Row[],
  now: Micros,
  limitRows?: readonly Row[],
): Promise<ReadonlyMap<string, RiskVerdict>> {
  if (demands.length === 0) return new Map();
  const limits = limitsIn(limitRows ?? (await lockVelocityLimits(tx, demands.map(merchantOf))));
  const rows = await riskFactsOf(tx, demands);
  const factRows = new Map(rows.map((row) => [keyText(row), row]));
  const facts = demands.map((demand) =>
    factsOf(demand, factRows.get(keyText(demand)) ?? {}, limits),
  );
  await lockCards(
    tx,
    facts.filter(({ scope }) => hasPlatformLimits(scope.mode)),
  );
  const tally = createTally(await countsFor(tx, facts, now));
  return new Map(
    demands.map((demand, at) => [keyText(demand), decideRisk(facts[at] as RiskFacts, tally)]),
  );
}

/**
 * Whether platform limits apply. No row can be locked for them, so payments lock their cards.
 */
export const hasPlatformLimits = (mode: Mode): boolean => platformVelocity[mode].length > 0;

type Limits = ReadonlyMap<string, readonly VelocityLimit[]>;

const merchantOf = ({ merchant_id }: Row): string => merchant_id as string;

function limitsIn(rows: readonly Row[]): Limits {
  const byScope = Map.groupBy(rows, scopeText);
  return new Map([...byScope].map(([scope, rows]) => [scope, rows.map(limitOf)]));
}

const limitOf = (row: Row): VelocityLimit => ({
  id: row.id as string,
  kind: row.kind as VelocityKind,
  window_seconds: Number(row.window_seconds),
  max_count: Number(row.max_count),
  amount_currency: row.amount_currency ?? null,
});

function factsOf(demand: Row, factRow: Row, limits: Limits): RiskFacts {
  const scope = scopeOf(demand);
  return {
    scope,
    amount_cents: Number(demand.amount_cents),
    amount_currency: demand.amount_currency as string,
    payer_id: (factRow.payer_id ?? demand.payer_id) as string,
    payer_blocked: !!factRow.blocked_at,
    by_customer: demand.initiator !== 'merchant',
    card: {
      bin: factRow.card_bin as string,
      last_four: factRow.last_four as string,
      fingerprint: factRow.card_fingerprint as string,
    },
    matches: JSON.parse(factRow.entries ?? '[]') as ListMatch[],
    limits: [...platformVelocity[scope.mode], ...(limits.get(scopeText(demand)) ?? [])],
  };
}

/** Counts for several payments together; empty without limits. */
async function countsFor(
  tx: Db,
  payments: readonly RiskFacts[],
  now: Micros,
): Promise<ReadonlyMap<string, Count>> {
  const questionsByKey = payments.flatMap((facts) =>
    facts.limits
      .filter((limit) => appliesTo(limit, facts))
      .map((limit) => [countKey(limit, facts), questionOf(limit, facts, now)] as const),
  );
  const questions = new Map(questionsByKey);
  if (questions.size === 0) return new Map();
  const countRows = await countVelocity(tx, [...questions.values()]);
  return new Map([...questions.keys()].map((key, at) => [key, countFrom(countRows[at] ?? {})]));
}

const questionOf = (limit: VelocityLimit, facts: RiskFacts, now: Micros): VelocityQuestion => ({
  scope: facts.scope,
  kind: limit.kind,
  subject: subjectOf(limit, facts),
  amount_currency: limit.amount_currency,
  counts_open: limit.counts_open === true,
  since: instantText(now - seconds(limit.window_seconds)),
  up_to: limit.max_count,
});

function countFrom({ counted }: Row): Count {
  const { total = 0, cards = [], read = 0 } = JSON.parse((counted as string | null) ?? '{}');
  return { total, cards, is_partial: read > ATTEMPTS_READ_MAX };
}
