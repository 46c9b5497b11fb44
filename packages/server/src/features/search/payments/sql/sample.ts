/** Newest records that a search compares first, whatever the text. */
export const SAMPLE = 1_000;
/** Matches among the newest records from which on a text is frequent: an index would find too much. */
export const SAMPLE_FREQUENT = 100;
