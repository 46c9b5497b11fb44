/** An SQL text literal. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
