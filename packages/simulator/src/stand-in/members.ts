/** Members of a JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isJsonObject = (value: unknown): value is JsonMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of a value, or none if it is not an object. */
export const membersOf = (value: unknown): JsonMembers => (isJsonObject(value) ? value : {});

/** The value as text; undefined for all other types and for empty text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A whole number, as a number or as decimal digits; undefined for all other values. */
export function wholeNumberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}
