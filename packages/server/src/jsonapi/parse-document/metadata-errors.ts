import { metadataLimits } from '@florin/contract/resources/metadata.ts';
import { codePoints, isStorable, UNSTORABLE } from '../values/text.ts';
import type { JsonObject } from './json-body.ts';
import type { ValueError } from './text-value.ts';

const { members_max, name_max, value_max } = metadataLimits;

/** Metadata names: ASCII, and valid member names in JSON:API. */
export const METADATA_NAME = new RegExp(
  `^[A-Za-z0-9]([A-Za-z0-9_-]{0,${name_max - 2}}[A-Za-z0-9])?$`,
);

/** Validation errors of metadata by member name. An empty name means the whole object. */
export function metadataErrors(
  value: JsonObject,
): { readonly name: string; readonly flaw: ValueError }[] {
  const members = Object.entries(value);
  if (members.length > members_max) {
    const flaw: ValueError = ['too_long', `must have at most ${members_max} members`, members_max];
    return [{ name: '', flaw }];
  }
  return members.flatMap(([name, text]) => {
    const flaw = errorOf(name, text);
    return flaw ? [{ name, flaw }] : [];
  });
}

function errorOf(name: string, text: unknown): ValueError | undefined {
  if (!METADATA_NAME.test(name)) {
    const requirement = `must have a name of 1 to ${name_max} letters, digits, dashes and underscores`;
    return ['invalid', `${requirement}, which begins and ends with a letter or digit`];
  }
  if (typeof text !== 'string') return ['invalid', 'must be text'];
  if (!isStorable(text)) return ['invalid', UNSTORABLE];
  if (codePoints(text) <= value_max) return undefined;
  return ['too_long', `must have at most ${value_max} characters`, value_max];
}
