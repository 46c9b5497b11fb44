import type { MemberParser } from '../../../http/body.ts';
import { isUuid } from '../../../platform/ids.ts';

const LIST_MAX = 300;

/** A list of different values, at least one. */
export const createListMember =
  (values: readonly string[]): MemberParser<readonly string[]> =>
  (list) => {
    const isList = Array.isArray(list) && list.length > 0 && list.length <= LIST_MAX;
    if (!isList) return { code: 'invalid', predicate: `must be a list of 1 to ${LIST_MAX}` };
    return list.every((value) => values.includes(value as string))
      ? { value: [...new Set(list as string[])] }
      : { code: 'not_in_list', predicate: 'has a value that Florin does not know' };
  };

export const idMember: MemberParser<string> = (value) =>
  typeof value === 'string' && isUuid(value)
    ? { value }
    : { code: 'invalid', predicate: 'must be the id of a merchant' };

export const orNull = <T>(value: T | undefined): T | null => value ?? null;
