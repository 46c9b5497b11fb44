/** An SQL text literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
