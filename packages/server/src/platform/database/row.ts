/**
 * A row in PostgreSQL's text form: every value is text or null. Values read are in output form (`t`,
 * `2026-11-21 03:44:00.1+00`). Values to write may have any form that PostgreSQL accepts.
 */
export type Row = Readonly<Record<string, string | null>>;

/** Whether a boolean column is true, in PostgreSQL's output or input form. */
export const isTrue = (text: string | null | undefined): boolean => text === 't' || text === 'true';
