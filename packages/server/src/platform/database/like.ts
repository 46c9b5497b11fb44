/** Pattern for `like` that matches values containing the text. Escapes the text's wildcards. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
