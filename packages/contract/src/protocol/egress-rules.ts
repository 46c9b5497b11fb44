import type { EgressRule } from './processor-accounts.ts';
import type { RelayRequest } from './vault.ts';

/** Parts of a request that rules restrict. */
export type RuledRequest = Pick<RelayRequest, 'method' | 'credentials'> &
  Partial<Pick<RelayRequest, 'card_fields'>>;

/** Longest path in a violation. */
const PATH_CHARS_MAX = 200;
/**
 * One segment for `*`. Encoded slashes, dots and control characters could lead a processor's router to another path.
 */
const ANY_SEGMENT = /^(?:[\w.~!$&'()*+,;=:@-]|%(?![01]|2[ef]|5c|7f)[0-9a-f]{2})+$/i;

function matchesPath(pattern: string, path: string): boolean {
  const patternSegments = pattern.split('/');
  const segments = path.split('/');
  return (
    segments.length === patternSegments.length &&
    patternSegments.every((expected, index) => {
      const segment = segments[index] as string;
      return expected === '*' ? ANY_SEGMENT.test(segment) : expected === segment;
    })
  );
}

/** Parts of a parsed URL. */
export interface MessageUrl {
  readonly origin: string;
  readonly pathname: string;
  readonly searchParams: { keys(): Iterable<string> };
}

/** Message that no rule allows. `detail` names address and placeholder, and no value. */
export interface EgressViolation {
  readonly why: 'egress_not_declared' | 'place_not_declared';
  readonly detail: string;
}

/**
 * Checks a message against the rules of its account: origin, method, path and names of the query. The places of card
 * data and secrets must be declared too. Undefined if one rule allows all of them.
 */
export function findEgressViolation(
  egress: readonly EgressRule[],
  request: RuledRequest,
  url: MessageUrl,
): EgressViolation | undefined {
  const target = `${request.method} ${url.origin}${url.pathname.slice(0, PATH_CHARS_MAX)}`;
  const rules = egress.filter(
    ({ origin, method, path }) =>
      origin === url.origin && method === request.method && matchesPath(path, url.pathname),
  );
  if (rules.length === 0) {
    const detail = `No egress rule of the account allows ${target}.`;
    return { why: 'egress_not_declared', detail };
  }
  const violations = rules.map((rule) => violationOf(rule, request, url, target));
  return violations.includes(undefined) ? undefined : violations[0];
}

/** Longest name of a query in a violation. */
const NAME_CHARS_MAX = 40;

function violationOf(
  { query = [], card_fields = {}, secret_fields = {} }: EgressRule,
  { card_fields: cards = {}, credentials }: RuledRequest,
  { searchParams }: MessageUrl,
  target: string,
): EgressViolation | undefined {
  const refuse = `The egress rules of ${target} do not allow`;
  const parameter = [...searchParams.keys()].find((name) => !query.includes(name));
  if (parameter !== undefined) {
    const detail = `${refuse} the query parameter ${parameter.slice(0, NAME_CHARS_MAX)}.`;
    return { why: 'egress_not_declared', detail };
  }
  const placeholder =
    findUndeclared(cards, card_fields) ?? findUndeclared(credentials?.body ?? {}, secret_fields);
  if (!placeholder) return undefined;
  const [pointer, name] = placeholder;
  return { why: 'place_not_declared', detail: `${refuse} ${name} at ${pointer}.` };
}

/** Finds a placeholder that the rule does not have at its place. */
const findUndeclared = (
  placeholders: Readonly<Record<string, string>>,
  declared: Readonly<Record<string, string>>,
): [string, string] | undefined =>
  Object.entries(placeholders).find(
    ([pointer, name]) => !Object.hasOwn(declared, pointer) || declared[pointer] !== name,
  );
