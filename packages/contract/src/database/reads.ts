/** Keywords of SQL that must not be repeated: writes, locks, or a different result each time. */
const CHANGES =
  /\b(?:insert|update|delete|merge|into|share|nextval|setval|set_config|pg_notify|dblink\w*|lo_\w+|\w*advisory\w*|pg_(?:cancel|terminate|reload|rotate|switch|create|drop|logical|replication)\w*)\b/i;

/**
 * Whether a statement only reads and may be repeated. A keyword in a literal or a name counts as a
 * write; the read is then not repeated.
 */
export const isRead = (sql: string): boolean =>
  /^\s*(?:select|with)\b/i.test(sql) && !CHANGES.test(sql);
