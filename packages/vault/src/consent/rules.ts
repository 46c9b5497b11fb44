import { createHash } from 'node:crypto';
import { canonicalJson } from '@florin/contract/canonical-json.ts';
import { unbound } from '@florin/contract/protocol/known-rules.ts';
import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';

export const hasCard = ({ card_fields = {} }: EgressRule): boolean =>
  Object.keys(card_fields).length > 0;

/** Rules for the audit: their number, and a digest to compare them with. */
export const describeRules = (egress: readonly EgressRule[]): string =>
  `${egress.length} egress rules ${createHash('sha256').update(JSON.stringify(egress)).digest('hex')}`;

/** Rules by their text, to look for equal ones. */
export const rulesOf = (egress: readonly EgressRule[] | null): ReadonlySet<string> =>
  new Set((egress ?? []).map(canonicalJson));

/**
 * Adds known rules to those that an operator accepted. An accepted rule stays, so that a server can take no way away,
 * unless a new one is the same with a login.
 */
export function addRules(
  accepted: readonly EgressRule[],
  egress: readonly EgressRule[],
): readonly EgressRule[] {
  const acceptedRules = rulesOf(accepted);
  const added = egress.filter((rule) => !acceptedRules.has(canonicalJson(rule)));
  const unboundForms = rulesOf(egress.filter(({ login }) => login).map(unbound));
  return [...accepted.filter((rule) => !unboundForms.has(canonicalJson(rule))), ...added];
}
