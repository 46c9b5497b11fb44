import type { MemberParser } from '../../http/body.ts';
import { isUuid } from '../../platform/ids.ts';

const LIST_MAX = 300;

/** A list of different values, at least one. */
export const createListMember =
  (values: readonly string[]): MemberParser<readonly string[]> =>
  (list) => {
    const isList = Array.isArray(list) && list.length > 0 && list.length <= LIST_MAX;
    if (!isList) return { code: 'invalid', predicate: `must be a list of 1 to ${LIST_MAX}` };
    const unknown = list.find((value) => !values.includes(value as string));
    return unknown === undefined
      ? { value: [...new Set(list as string[])] }
      : { code: 'not_in_list', predicate: `has ${nameOf(unknown)} that Florin does not know` };
  };

/** Names short words only: longer values may be secrets. */
const nameOf = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z_]{1,20}$/.test(value) ? `the value ${value}` : 'a value';

export const idMember: MemberParser<string> = (value) =>
  typeof value === 'string' && isUuid(value)
    ? { value }
    : { code: 'invalid', predicate: 'must be the id of a merchant' };

export const orNull = <T>(value: T | undefined): T | null => value ?? null;
