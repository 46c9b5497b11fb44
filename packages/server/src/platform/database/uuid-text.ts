/**
 * SQL that reads a text of somebody else as an id of ours: null where it is none, which was never one of ours. Such a text
 * must not fail the statement, and with it all that goes with it.
 */
export const asUuid = (text: string): string =>
  `case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`;
