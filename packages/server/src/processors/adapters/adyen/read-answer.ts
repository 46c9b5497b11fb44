import type { NotSentResult, UnknownResult } from '../../port/message.ts';
import {
  type Answered,
  type Members,
  membersOf,
  textOf,
  unknownResult,
} from '../../port/read-answer.ts';

/** With the value `true` Adyen did nothing, and the same message may be sent again. */
export const TRANSIENT_HEADER = 'transient-error';

/** Another message with the same key is in progress. */
const IN_PROGRESS = '704';
const RATE_LIMITED = '705';

/** Statuses with which nothing was done: malformed, no such role, wrong address, too large. */
const NOTHING_DONE = new Set([400, 401, 403, 404, 405, 406, 413, 501]);
/** Types of errors that Adyen finds before it does anything. */
const EARLY_TYPES = ['validation', 'security', 'configuration'];
const INVALID = 422;
const SERVER_ERROR = 500;

/** Code of an error; undefined if Adyen sent none. */
export const errorCodeOf = ({ body }: Answered): string | undefined =>
  textOf(membersOf(body).errorCode);

/** Adyen's code of errors that have none. */
const NO_CODE = '000';

/** Says what Adyen answered, without texts that it could repeat. */
export function whyOfAdyen(answer: Answered): string {
  const code = errorCodeOf(answer);
  return `Adyen answered ${answer.status}${!code || code === NO_CODE ? '' : `, error ${code}`}`;
}

export const unclearAtAdyen = (answer: Answered): UnknownResult =>
  unknownResult(`${whyOfAdyen(answer)}.`);

/** Adyen did nothing, and the message may be sent again. */
export const notExecutedAtAdyen = (answer: Answered): NotSentResult => ({
  result: 'not_sent',
  why: `${whyOfAdyen(answer)}.`,
});

/** Whether Adyen did nothing because of a passing fault. */
export const isPassing = (answer: Answered): boolean =>
  answer.headers?.[TRANSIENT_HEADER] === 'true' || errorCodeOf(answer) === RATE_LIMITED;

/** Whether Adyen refused the message before it did anything. Messages in progress are not refused. */
export function isRefusedByAdyen(answer: Answered): boolean {
  const code = errorCodeOf(answer);
  const type = membersOf(answer.body).errorType;
  if (code === IN_PROGRESS) return false;
  if (NOTHING_DONE.has(answer.status)) return true;
  if (answer.status === INVALID) return code !== undefined && type !== 'internal';
  return answer.status === SERVER_ERROR && EARLY_TYPES.includes(type as string);
}

/** Whether an answer names our id. Adyen leaves the reference out of some answers. */
export const namesOurs = (reference: unknown, expected?: string): boolean =>
  expected === undefined || reference === undefined || reference === expected;

/** Texts for operators: printable, short, and without runs of digits that could be a card number. */
const SHORT_TEXT = /^[\w .,:;'()/+*=-]{1,100}$/;
const MANY_DIGITS = /\d{9}/;

/** A code or short text of Adyen; undefined for other values. */
export const shortTextOf = (value: unknown): string | undefined =>
  typeof value === 'string' && SHORT_TEXT.test(value) && !MANY_DIGITS.test(value)
    ? value
    : undefined;

/** The named members that are short texts, or undefined if there is none. */
export function codesOf(
  members: Members,
  names: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const texts = names.flatMap((name) => {
    const text = shortTextOf(members[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
