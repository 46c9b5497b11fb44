const NAMED =
  /\b(?:table|index|trigger|on|references|view|into)\s+(?:only\s+|concurrently\s+|if\s+(?:not\s+)?exists\s+)*(?:\w+\.)?"?(\w+)"?/gi;

/**
 * Names in the definition statements of a migration. Not all are relations; the database finds
 * those that are.
 */
export function namesIn(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '');
  return [...new Set([...bare.matchAll(NAMED)].map(([, name = '']) => name.toLowerCase()))].sort();
}
