/**
 * SQL that reads a foreign text as a UUID: null if it is none. A malformed id must not fail the
 * whole statement.
 */
export const asUuid = (text: string): string =>
  `case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`;
