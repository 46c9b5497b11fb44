import type { DatabaseSync } from 'node:sqlite';

/** `at`: end of the period that an early payout pays, in milliseconds since 1970. */
export const EARLY_PAYOUT_SCHEMA = `
  create table if not exists early_payouts (
    channel text not null,
    at integer not null,
    unknown_type text,
    primary key (channel, at)
  ) strict, without rowid`;

/** A payout before the end of its day, which control asked for. */
export interface EarlyPayout {
  readonly channel: string;
  /** End of the paid period, in milliseconds since 1970. */
  readonly at: number;
  /** Type of a row that no reader of reports knows. */
  readonly unknownType: string | null;
}

/** Early payouts in the books. Call `add` only inside a commit. */
export interface EarlyPayoutBooks {
  add(payout: EarlyPayout): void;
  /** Payouts of a channel in the period from `from` to `until`, oldest first. */
  list(channel: string, from: number, until: number): EarlyPayout[];
}

export function createEarlyPayoutBooks(db: DatabaseSync): EarlyPayoutBooks {
  const insert = db.prepare('insert into early_payouts values (?, ?, ?)');
  const select = db.prepare(
    'select * from early_payouts where channel = ? and at > ? and at <= ? order by at',
  );
  return {
    add: ({ channel, at, unknownType }) => void insert.run(channel, at, unknownType),
    list: (channel, from, until) =>
      select.all(channel, from, until).map(({ at, unknown_type }) => ({
        channel,
        at: Number(at),
        unknownType: unknown_type as string | null,
      })),
  };
}
