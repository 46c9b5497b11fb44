/** Pattern for `like` that matches values containing the text. Escapes the text's wildcards. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
