import { canonicalJson } from '../canonical-json.ts';
import { membersAt } from './json-pointer.ts';
import { findForeignMember } from './login-body.ts';
import type { EgressRule, Login } from './processor-accounts.ts';
import type { CardField, RelayCodec, RelayRequest } from './vault.ts';

/** Parts of a request that rules restrict. */
export type RuledRequest = Pick<RelayRequest, 'method' | 'credentials'> &
  Partial<Pick<RelayRequest, 'card_fields' | 'headers' | 'body' | 'codec'>>;

/** Longest path in a violation. */
const PATH_CHARS_MAX = 200;
/**
 * One segment for `*`, as ids have it, also those in base64. A router might read a dot in front or another encoded
 * character as another path.
 */
const ANY_SEGMENT = /^(?:[\w~:-]|%(?:3A|3D|2B))(?:[\w.~:-]|%(?:3A|3D|2B))*$/;

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
  readonly why: 'egress_not_declared' | 'place_not_declared' | 'login_not_declared';
  readonly detail: string;
}

/**
 * Checks a message against the rules of its account: origin, method, path and names of the query. The places of card
 * data and secrets must be declared too. Login, headers and format must be those of the rule, if it has a login. Undefined
 * if one rule allows all of them.
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
  const pointer = findOwnCard(rules, request);
  if (pointer !== undefined) {
    const detail = `The egress rules of ${target} do not allow a value of the server at ${pointer}.`;
    return { why: 'place_not_declared', detail };
  }
  const violations = rules.map((rule) => violationOf(rule, request, url, target));
  return violations.includes(undefined) ? undefined : violations[0];
}

/** Longest name of a query in a violation. */
const NAME_CHARS_MAX = 40;

function violationOf(
  rule: EgressRule,
  request: RuledRequest,
  { searchParams }: MessageUrl,
  target: string,
): EgressViolation | undefined {
  const { query = [], card_fields = {}, secret_fields = {} } = rule;
  const { card_fields: cards = {}, credentials } = request;
  const refuse = `The egress rules of ${target} do not allow`;
  const parameter = [...searchParams.keys()].find((name) => !query.includes(name));
  if (parameter !== undefined) {
    const detail = `${refuse} the query parameter ${parameter.slice(0, NAME_CHARS_MAX)}.`;
    return { why: 'egress_not_declared', detail };
  }
  const placeholder =
    findUndeclared(cards, card_fields) ?? findUndeclared(credentials?.body ?? {}, secret_fields);
  if (placeholder) {
    const [pointer, name] = placeholder;
    return { why: 'place_not_declared', detail: `${refuse} ${name} at ${pointer}.` };
  }
  const login = findOtherLogin(rule, request);
  return login === undefined
    ? undefined
    : { why: 'login_not_declared', detail: `${refuse} ${login}.` };
}

/** With a charset, a response could have card numbers that no mask finds. */
const ACCEPT = /^[\w.+/*, -]+$/;
/** Content types by format: in another one, a processor could find the card at another place. */
const CONTENT_TYPES: Readonly<Record<RelayCodec, RegExp | undefined>> = {
  json: /^application\/json(; ?charset=utf-8)?$/i,
  xml: /^(application|text)\/xml(; ?charset=utf-8)?$/i,
  form_brackets: /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i,
  form_dots: /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i,
  // The vault knows the boundary.
  multipart: undefined,
};

/** Whether a header tells the format as the rule has it, and no login. */
function isFormat(name: string, text: string, codec: RelayCodec): boolean {
  if (name === 'accept') return ACCEPT.test(text);
  return name === 'content-type' && CONTENT_TYPES[codec]?.test(text) === true;
}

/** Describes a login of a message that is not that of the rule, or a place where it could have one. */
function findOtherLogin(
  { login, headers = [], codec = 'json' }: EgressRule,
  { credentials, headers: texts = {}, body, codec: usedCodec = 'json' }: RuledRequest,
): string | undefined {
  if (!login) return undefined;
  if (!credentials || !isSameLogin(credentials, login)) return 'another login';
  if (usedCodec !== codec) return `the format ${usedCodec}`;
  const header = Object.entries(texts).find(
    ([name, text]) => !headers.includes(name) && !isFormat(name, text, codec),
  );
  if (header) return `the header ${header[0].slice(0, NAME_CHARS_MAX)}`;
  const member = findForeignMember(body, login, codec);
  return member === undefined
    ? undefined
    : `the member ${member.slice(0, NAME_CHARS_MAX)} beside the login`;
}

function isSameLogin(one: Login, other: Login): boolean {
  const textOf = ({ headers, basic, body = {}, client_certificate }: Login): string =>
    canonicalJson({ headers, basic, body, client_certificate });
  return textOf(one) === textOf(other);
}

/**
 * Finds a place of card numbers or security codes that the server filled in. With values of its own, a server could ask
 * the processor which number or code is that of a stored card, beyond the vault's limits.
 */
function findOwnCard(
  rules: readonly EgressRule[],
  { card_fields: filled = {}, body }: RuledRequest,
): string | undefined {
  return rules
    .flatMap(({ card_fields = {} }) => Object.entries(card_fields))
    .filter(([pointer, field]) => VAULT_ONLY.includes(field) && !Object.hasOwn(filled, pointer))
    .map(([pointer]) => pointer)
    .find((pointer) => membersAt(body, pointer).some((value) => (value ?? null) !== null));
}

/** Values that only the vault fills in. A server has others itself, such as those of a 3-D Secure check. */
const VAULT_ONLY: readonly CardField[] = ['pan', 'cvv'];

/** Finds a placeholder that the rule does not have at its place. */
const findUndeclared = (
  placeholders: Readonly<Record<string, string>>,
  declared: Readonly<Record<string, string>>,
): [string, string] | undefined =>
  Object.entries(placeholders).find(
    ([pointer, name]) => !Object.hasOwn(declared, pointer) || declared[pointer] !== name,
  );
