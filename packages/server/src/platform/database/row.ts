/**
 * A row exactly as PostgreSQL speaks it: every value is text or null. What is read is in its output
 * form (`t`, `2026-11-21 03:44:00.1+00`), what is about to be written in any form it accepts as input.
 */
export type Row = Readonly<Record<string, string | null>>;

/** Whether a boolean column is true, as PostgreSQL writes it and as it is written. */
export const isTrue = (text: string | null | undefined): boolean => text === 't' || text === 'true';
