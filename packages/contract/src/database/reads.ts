/** Statements and functions that write, lock, or return something else the second time. */
const CHANGES =
  /\b(?:insert|update|delete|merge|into|share|nextval|setval|set_config|pg_notify|dblink\w*|lo_\w+|\w*advisory\w*|pg_(?:cancel|terminate|reload|rotate|switch|create|drop|logical|replication)\w*)\b/i;

/** Whether a statement only reads. Keywords inside literals and names count as writes: a read is then not repeated. */
export const isRead = (sql: string): boolean =>
  /^\s*(?:select|with)\b/i.test(sql) && !CHANGES.test(sql);
