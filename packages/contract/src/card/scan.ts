/** Finds card numbers in client input before it is read or logged, and in log lines. */
import { networkOf } from './networks.ts';
import {
  cardsIn,
  fold,
  loose,
  mayHoldCard,
  STRICT_DIGITS_MIN,
  type Strictness,
  strict,
} from './spans.ts';

const FORBIDDEN_NAME =
  /^(?:pan|pin|cid|cvv2?|cvc2?|card[ _-]?number|security[ _-]?code|track[ _-]?[12])$/i;
const FORBIDDEN_NAME_LENGTH_MAX = 13;

/** Whether a text has a card number without other characters next to it. */
export const hasRawCard = (text: string): boolean =>
  mayHoldCard(text) && !cardsIn(fold(text), strict).next().done;

/** Whether a member, parameter or header with this name is refused, regardless of its value. */
export const isForbiddenName = (name: string): boolean =>
  name.length <= FORBIDDEN_NAME_LENGTH_MAX && FORBIDDEN_NAME.test(name);

/**
 * Whether a JSON number is a card number. JSON parsers round numbers of 17 digits or more, so that
 * their check digit has no meaning.
 */
function numberIsCard(value: number): boolean {
  const digits = Number.isInteger(value) ? String(Math.abs(value)) : '';
  if (digits.length < STRICT_DIGITS_MIN) return false;
  if (Number.isSafeInteger(value)) return hasRawCard(digits);
  return networkOf(digits)?.lengths.includes(digits.length) === true;
}

const leafIsCard = (value: unknown): boolean =>
  (typeof value === 'string' && hasRawCard(value)) ||
  (typeof value === 'number' && numberIsCard(value));

interface ValuePath {
  readonly value: object;
  readonly parent?: ValuePath;
  readonly key: string;
}

const escapePointerSegment = (key: string): string =>
  key.replaceAll('~', '~0').replaceAll('/', '~1');

function pointerTo(path: ValuePath): string {
  let pointer = '';
  for (let at = path; at.parent; at = at.parent)
    pointer = `/${escapePointerSegment(at.key)}${pointer}`;
  return pointer;
}

/** Checks the members of one object or list. Nested values are added to `pendingPaths`. */
function findInMembers(path: ValuePath, pendingPaths: ValuePath[]): string | undefined {
  const hasNames = !Array.isArray(path.value);
  const members = path.value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    const value = members[key];
    // The key is a card number, so the pointer ends at the object and does not repeat the key.
    if (hasNames && hasRawCard(key)) return pointerTo(path);
    if ((hasNames && isForbiddenName(key)) || leafIsCard(value)) {
      return pointerTo({ value: members, parent: path, key });
    }
    if (typeof value === 'object' && value !== null)
      pendingPaths.push({ value, parent: path, key });
  }
  return undefined;
}

/**
 * JSON Pointer (RFC 6901) of a card number or forbidden name in parsed JSON, at any depth.
 * Undefined if there is none. Never contains the number.
 */
export function findRawCard(value: unknown): { pointer: string } | undefined {
  if (leafIsCard(value)) return { pointer: '' };
  if (typeof value !== 'object' || value === null) return undefined;
  const pendingPaths: ValuePath[] = [{ value, key: '' }];
  for (let path = pendingPaths.pop(); path; path = pendingPaths.pop()) {
    const pointer = findInMembers(path, pendingPaths);
    if (pointer !== undefined) return { pointer };
  }
  return undefined;
}

/** Decodes percent-encoding. Invalid UTF-8 stays encoded; ASCII escapes are decoded. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

const decodedForm = (text: string): string => decodeText(text.replaceAll('+', ' '));

/** Whether a URL path contains a card number, percent-encoded or not. */
export const hasRawCardInPath = (path: string): boolean => hasRawCard(decodeText(path));

/**
 * The parameter of a query string (without `?`) that has a card number or a forbidden name. Checks
 * parts of names too: `filter[cvv]`. Empty if the name itself is the card number.
 */
export function findRawCardInQuery(query: string): { parameter: string } | undefined {
  for (const pair of query.split('&')) {
    const [name = '', ...value] = pair.split('=');
    const parameter = decodedForm(name);
    if (hasRawCard(parameter)) return { parameter: '' };
    const forbidden = parameter.split(/[[\].]/).some(isForbiddenName);
    if (forbidden || hasRawCard(decodedForm(value.join('=')))) return { parameter };
  }
  return undefined;
}

const DIGITS_KEPT = { first: 6, last: 4 } as const;

function masked(text: string): string {
  const count = text.replace(/\D/g, '').length;
  let digitsSeen = 0;
  return text.replace(/\d/g, (digit) => {
    digitsSeen++;
    return digitsSeen <= DIGITS_KEPT.first || digitsSeen > count - DIGITS_KEPT.last ? digit : '*';
  });
}

/**
 * Masks card numbers in a log line, except the first six and last four digits. Looser than
 * `hasRawCard`: accepts thirteen digits, and letters next to the number.
 */
export const maskCards = (line: string): string => maskBy(line, loose);

/** Masks card numbers that stand alone, so that ids and references stay as they are. */
export const maskLoneCards = (text: string): string => maskBy(text, strict);

function maskBy(line: string, rule: Strictness): string {
  const text = fold(line);
  let out = '';
  let from = 0;
  for (const { start, end } of cardsIn(text, rule)) {
    out += text.slice(from, start) + masked(text.slice(start, end));
    from = end;
  }
  return from === 0 ? line : out + text.slice(from);
}
