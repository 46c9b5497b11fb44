/** SQL that reads text as a UUID; null if malformed, so that a malformed id does not fail the statement. */
export const asUuid = (text: string): string =>
  `case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`;
