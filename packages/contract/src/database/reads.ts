/** Words of statements and functions that change something, take a lock, or answer otherwise the second time. */
const CHANGES =
  /\b(?:insert|update|delete|merge|into|share|nextval|setval|set_config|pg_notify|dblink\w*|lo_\w+|\w*advisory\w*|pg_(?:cancel|terminate|reload|rotate|switch|create|drop|logical|replication)\w*)\b/i;

/** Whether a statement changes nothing. A word within a text or name counts as well: then it is not repeated. */
export const isRead = (sql: string): boolean =>
  /^\s*(?:select|with)\b/i.test(sql) && !CHANGES.test(sql);
