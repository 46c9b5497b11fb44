import type { SampleValue } from '../../src/samples/literal.ts';

/** In an expected response, stands for any value. */
const ANYTHING = '…';

/**
 * Finds where a value lacks what a sample shows of it. Objects may have more members, and lists more items.
 * Returns one line for each difference.
 */
export function differencesOf(expected: SampleValue, value: unknown, path = ''): readonly string[] {
  if (expected === ANYTHING) return value === undefined ? [`${path} is missing`] : [];
  if (typeof expected !== 'object' || expected === null) {
    return expected === value
      ? []
      : [`${path} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`];
  }
  if (typeof value !== 'object' || value === null) {
    return [`${path} is ${JSON.stringify(value)}, not an object or list`];
  }
  const members = value as Readonly<Record<string, unknown>>;
  return Object.entries(expected).flatMap(([name, member]) =>
    differencesOf(member, members[name], `${path}/${name}`),
  );
}
