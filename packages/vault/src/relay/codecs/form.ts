import { isObject } from '../../http/input.ts';
import { BODY_DEPTH_MAX, textOfScalar, unusableBody } from './write-scalar.ts';

/** Maximum number of name-value pairs of a form. */
export const FORM_PAIRS_MAX = 1_000;

/** Names of nested members: `card[number]` or `card.number`. */
export type FormNames = 'brackets' | 'dots';

/** Characters that would make a member's name look like several. */
const JOINTS: Readonly<Record<FormNames, RegExp>> = { brackets: /[[\]]/, dots: /\./ };

/**
 * Writes an object as `application/x-www-form-urlencoded`. Items of lists have their index as name. Undefined members are
 * omitted. Throws `body_unusable` that names the position.
 */
export function writeForm(body: unknown, formNames: FormNames): string {
  if (!isObject(body)) throw unusableBody([], 'is no object');
  const pairs = pairsOf(body, [], formNames);
  if (pairs.length > FORM_PAIRS_MAX) throw unusableBody([], `has over ${FORM_PAIRS_MAX} values`);
  return new URLSearchParams(pairs).toString();
}

function pairsOf(
  value: unknown,
  names: readonly string[],
  formNames: FormNames,
): [string, string][] {
  if (value === undefined) return [];
  if (!isObject(value) && !Array.isArray(value))
    return [[joinNames(names, formNames), textOfScalar(value, names)]];
  if (names.length === BODY_DEPTH_MAX) throw unusableBody(names, 'is nested too deeply');
  return Object.entries(value).flatMap(([name, member]) => {
    const memberNames = [...names, name];
    if (name === '' || JOINTS[formNames].test(name))
      throw unusableBody(memberNames, 'has a name that a form cannot have');
    return pairsOf(member, memberNames, formNames);
  });
}

const joinNames = ([first = '', ...inner]: readonly string[], formNames: FormNames): string =>
  formNames === 'dots'
    ? [first, ...inner].join('.')
    : first + inner.map((name) => `[${name}]`).join('');

/**
 * Reads a form as a flat object of texts, with the names as they are. A repeated name has a list. Throws a `RangeError`
 * for too many pairs or several lines.
 */
export function readForm(text: string): unknown {
  const form = text.trim();
  // A server could otherwise read a report as a form, with the cards in it: only texts are masked.
  if (/[\r\n]/.test(form)) throw new RangeError('The answer has several lines.');
  const params = new URLSearchParams(form);
  if (params.size > FORM_PAIRS_MAX) throw new RangeError('The answer has too many values.');
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}
