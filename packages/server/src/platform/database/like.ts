/** The pattern of `like` for whatever has the text in it; its own signs stand for themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
