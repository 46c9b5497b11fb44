/** Comments, texts, names, bodies of functions, ends of statements, and all else. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;'"$/-]+|[\s\S]/g;

const isComment = (part: string): boolean => part.startsWith('--') || part.startsWith('/*');

/** Splits SQL into its statements, without comments and semicolons. */
export function statementsIn(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(PARTS)) {
    if (part === ';') statements.push('');
    else statements[statements.length - 1] += isComment(part) ? ' ' : part;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** A statement in one line of at most `length` characters. */
export function shortened(statement: string, length: number): string {
  const line = statement.replace(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
