const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sortMembers = (_name: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** JSON with sorted members, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortMembers);
