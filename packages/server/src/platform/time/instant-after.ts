/**
 * SQL: the instant one microsecond after another. Unlike `instant + interval`, it does not depend on the time zone of the
 * session: Citus refuses what does in DO UPDATE.
 */
export const instantAfter = (instant: string): string =>
  `(${instant} at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC'`;
