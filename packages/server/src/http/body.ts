import { type ErrorCode, type Problem, ProblemError, problem } from '@florin/contract/errors.ts';
import { unknownName } from '../jsonapi/unknown-name.ts';
import { isEmail } from '../jsonapi/values/contact.ts';
import { isStorable, UNSTORABLE } from '../jsonapi/values/text.ts';

/** Parses a member of a body: returns its value, or the validation error. */
export type MemberParser<T> = (value: unknown) => { readonly value: T } | MemberProblem;

interface MemberProblem {
  readonly code: ErrorCode;
  /** Follows the member's name in the error's detail. */
  readonly predicate: string;
}

type Readers = Readonly<Record<string, MemberParser<unknown>>>;
type ParsedMembers<R extends Readers> = {
  readonly [K in keyof R]: R[K] extends MemberParser<infer T> ? T : never;
};

/**
 * Parses the members of a JSON object. Throws 422 with all invalid and unknown members. `owner` names the object in
 * errors.
 */
export function readBody<R extends Readers>(
  body: unknown,
  readers: R,
  owner = 'The body',
): ParsedMembers<R> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notObjectError(owner);
  const members = body as Readonly<Record<string, unknown>>;
  const problems: Problem[] = Object.keys(members)
    .filter((name) => !Object.hasOwn(readers, name))
    .map((name) => ({
      code: 'unknown_attribute',
      detail: unknownName(owner, 'member', name, Object.keys(readers)),
    }));
  const parsedMembers: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const result = reader(members[name]);
    if ('value' in result) parsedMembers[name] = result.value;
    else {
      const { code, predicate } = result;
      problems.push({ code, detail: `${name} ${predicate}.`, source: { pointer: `/${name}` } });
    }
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return parsedMembers as ParsedMembers<R>;
}

const notObjectError = (owner: string) =>
  problem('invalid_document', `${owner} must be a JSON object.`);

/** Text within a length range, trimmed. */
export const text =
  (max: number, min = 1): MemberParser<string> =>
  (value) => {
    if (typeof value !== 'string') return { code: 'blank', predicate: 'must be a string' };
    if (!isStorable(value))
      return {
        code: 'invalid',
        predicate: UNSTORABLE,
      };
    const trimmed = value.trim();
    if (trimmed.length < min) {
      return trimmed === ''
        ? { code: 'blank', predicate: 'is required' }
        : { code: 'too_short', predicate: `must have at least ${min} characters` };
    }
    if (trimmed.length > max) {
      return { code: 'too_long', predicate: `must have at most ${max} characters` };
    }
    return { value: trimmed };
  };

/** Text of a limited length, with its white space unchanged. */
export const secret =
  (max: number): MemberParser<string> =>
  (value) => {
    if (typeof value !== 'string' || value === '') {
      return { code: 'blank', predicate: 'is required' };
    }
    if (value.length > max)
      return { code: 'too_long', predicate: `must have at most ${max} characters` };
    return { value };
  };

const EMAIL_MAX = 254;
const emailText = text(EMAIL_MAX);

export const emailMember: MemberParser<string> = (value) => {
  const emailResult = emailText(value);
  if (!('value' in emailResult)) return emailResult;
  return isEmail(emailResult.value)
    ? emailResult
    : { code: 'invalid', predicate: 'must be an email address, such as name@example.com' };
};

/** Reads null and missing members as undefined. */
export const optional =
  <T>(reader: MemberParser<T>): MemberParser<T | undefined> =>
  (value) =>
    value === undefined || value === null || value === '' ? { value: undefined } : reader(value);

/** Text of a list. A value in the wrong case gets the right one as the only advice: lists can be long. */
export const oneOf =
  <const T extends string>(values: readonly T[]): MemberParser<T> =>
  (value) => {
    if (values.includes(value as T)) return { value: value as T };
    const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
    const meant = values.find((one) => one.toLowerCase() === lower);
    const predicate = meant ? `must be written ${meant}` : `must be one of ${values.join(', ')}`;
    return { code: 'not_in_list', predicate };
  };

export const flag: MemberParser<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { code: 'invalid', predicate: 'must be true or false' };

/** A JSON object with any content; a library checks the content. */
export const object: MemberParser<Readonly<Record<string, unknown>>> = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { value: value as Readonly<Record<string, unknown>> }
    : { code: 'invalid', predicate: 'must be an object' };
