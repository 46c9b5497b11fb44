/**
 * A row exactly as PostgreSQL speaks it: every value is text or null. What is read is in its output
 * form (`t`, `2026-11-21 03:44:00.1+00`), what is about to be written in any form it accepts as input.
 */
export type Row = Readonly<Record<string, string | null>>;
