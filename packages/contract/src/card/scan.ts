/**
 * Finds card numbers where none may be: in what a client sends, before anything reads or logs it, and
 * in the log itself.
 */
import { networkOf } from './networks.ts';
import { cardsIn, fold, loose, mayHoldCard, STRICT_DIGITS_MIN, strict } from './spans.ts';

const FORBIDDEN_NAME =
  /^(?:pan|pin|cid|cvv2?|cvc2?|card[ _-]?number|security[ _-]?code|track[ _-]?[12])$/i;
const FORBIDDEN_NAME_LENGTH_MAX = 13;

/** Whether a text holds a card number that stands alone in it. */
export const hasRawCard = (text: string): boolean =>
  mayHoldCard(text) && !cardsIn(fold(text), strict).next().done;

/** Whether a member, parameter or header of this name is refused whatever it holds. */
export const isForbiddenName = (name: string): boolean =>
  name.length <= FORBIDDEN_NAME_LENGTH_MAX && FORBIDDEN_NAME.test(name);

/** JSON keeps a number of 17 digits or more only roughly, so that its check digit tells nothing. */
function numberIsCard(value: number): boolean {
  const digits = Number.isInteger(value) ? String(Math.abs(value)) : '';
  if (digits.length < STRICT_DIGITS_MIN) return false;
  if (Number.isSafeInteger(value)) return hasRawCard(digits);
  return networkOf(digits)?.lengths.includes(digits.length) === true;
}

const leafIsCard = (value: unknown): boolean =>
  (typeof value === 'string' && hasRawCard(value)) ||
  (typeof value === 'number' && numberIsCard(value));

interface Place {
  readonly value: object;
  readonly parent?: Place;
  readonly key: string;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function pointerTo(place: Place): string {
  let pointer = '';
  for (let at = place; at.parent; at = at.parent) pointer = `/${escaped(at.key)}${pointer}`;
  return pointer;
}

/** Looks at the members of one object or list; those that hold more are left in `todo`. */
function findIn(place: Place, todo: Place[]): string | undefined {
  const named = !Array.isArray(place.value);
  const members = place.value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    const value = members[key];
    // The key itself is the number here, so the pointer stops at what holds it.
    if (named && hasRawCard(key)) return pointerTo(place);
    if ((named && isForbiddenName(key)) || leafIsCard(value)) {
      return pointerTo({ value: members, parent: place, key });
    }
    if (typeof value === 'object' && value !== null) todo.push({ value, parent: place, key });
  }
  return undefined;
}

/**
 * The JSON Pointer (RFC 6901) of a card number or of a member with a forbidden name in parsed JSON, at
 * any depth; undefined where there is none. The pointer never repeats the number.
 */
export function findRawCard(value: unknown): { pointer: string } | undefined {
  if (leafIsCard(value)) return { pointer: '' };
  if (typeof value !== 'object' || value === null) return undefined;
  const todo: Place[] = [{ value, key: '' }];
  for (let place = todo.pop(); place; place = todo.pop()) {
    const pointer = findIn(place, todo);
    if (pointer !== undefined) return { pointer };
  }
  return undefined;
}

/** A percent-encoded text as it would be read; where not all of it can be, its escapes of ASCII are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

const decodedForm = (text: string): string => decoded(text.replaceAll('+', ' '));

/** Whether the path of an address holds a card number, percent-encoded or not. */
export const hasRawCardInPath = (path: string): boolean => hasRawCard(decoded(path));

/**
 * The parameter of a query string (without its `?`) that holds a card number or has a forbidden name,
 * also as a part of it as in `filter[cvv]`; the parameter is empty where its name is the number.
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
  let seen = 0;
  return text.replace(/\d/g, (digit) => {
    seen++;
    return seen <= DIGITS_KEPT.first || seen > count - DIGITS_KEPT.last ? digit : '*';
  });
}

/**
 * A log line with all but the first six and last four digits of each card number starred out. Looser
 * than `hasRawCard`: thirteen digits count, and a number may touch letters.
 */
export function maskCards(line: string): string {
  const text = fold(line);
  let out = '';
  let from = 0;
  for (const { start, end } of cardsIn(text, loose)) {
    out += text.slice(from, start) + masked(text.slice(start, end));
    from = end;
  }
  return from === 0 ? line : out + text.slice(from);
}
