/** Conditions of a rule, all of which must match. Amounts are minor units. */
export interface RuleConditions {
  readonly currencies?: readonly string[];
  readonly networks?: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly issuer_countries?: readonly string[];
  readonly wallets?: readonly string[];
  readonly initiators?: readonly string[];
  readonly amount_min?: number;
  readonly amount_max?: number;
}

/** A rule as the server stores it. The first one that matches a payment decides. */
export interface Rule {
  readonly name: string;
  /** Null: a rule for every merchant. */
  readonly merchant_id: string | null;
  readonly conditions: RuleConditions;
  /** Ids of accounts in order of preference, or `network`. */
  readonly accounts: readonly string[];
  /** Outcomes of the first account after which the second is asked. Absent: the server's default. */
  readonly fallback?: string;
}

export interface RulesDocument {
  readonly data: readonly (Rule & { readonly mode: string })[];
  /** Version of the rules, for `If-Match`. */
  readonly etag: string;
}

/** A rule in the editor. The key stays when the rule moves. */
export interface EditedRule extends Rule {
  readonly key: string;
}

/** The simulated network, which needs no account. */
export const NETWORK = 'network';

export const editedRules = ({ data }: RulesDocument): readonly EditedRule[] =>
  data.map(({ mode: _, ...rule }, at) => ({ ...rule, key: `stored-${at}` }));

/** Returns the rules as the server takes them. */
export const rulesBody = (rules: readonly EditedRule[]): { readonly rules: readonly Rule[] } => ({
  rules: rules.map(({ key: _, ...rule }) => rule),
});

/** Moves a rule by one place. A rule at the end stays there. */
export function moveRule(
  rules: readonly EditedRule[],
  key: string,
  step: -1 | 1,
): readonly EditedRule[] {
  const from = rules.findIndex((rule) => rule.key === key);
  const rule = rules[from];
  const to = from + step;
  if (!rule || to < 0 || to >= rules.length) return rules;
  return rules.toSpliced(from, 1).toSpliced(to, 0, rule);
}

/** Replaces the rule with the same key, or appends a new one. */
export const putRule = (rules: readonly EditedRule[], rule: EditedRule): readonly EditedRule[] =>
  rules.some(({ key }) => key === rule.key)
    ? rules.map((before) => (before.key === rule.key ? rule : before))
    : [...rules, rule];

/** Position of the rule that a problem's pointer names, such as `/rules/2/accounts`. */
export function ruleOfPointer(pointer: string | undefined): number | undefined {
  const [, at] = /^\/rules\/(\d+)(?:\/|$)/.exec(pointer ?? '') ?? [];
  return at === undefined ? undefined : Number(at);
}

/** Leaves out conditions that match everything. */
export const usedConditions = (conditions: RuleConditions): RuleConditions =>
  Object.fromEntries(
    Object.entries(conditions).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== undefined,
    ),
  );
