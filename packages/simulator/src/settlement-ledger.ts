import type { DatabaseSync } from 'node:sqlite';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
  SettlementFilePart,
  SettlementLine,
} from '@florin/contract/protocol/network.ts';
import { linesOf } from './settlement.ts';

/** Lines of settlement files by UTC day. `copy` numbers the lines of one entry. */
export const SETTLEMENT_SCHEMA = `
  create table if not exists settlement_lines (
    line integer primary key,
    day text not null,
    entry text not null check (entry in ('capture', 'refund', 'dispute')),
    reference text not null,
    copy integer not null,
    authorisation text not null,
    amount integer not null,
    currency text not null,
    unique (entry, reference, copy)
  ) strict;
  create index if not exists settlement_lines_day on settlement_lines (day, line)`;

/** Maximum lines in a part of a settlement file. */
const PART_LINES = 200;

type Entry = Omit<SettlementLine, 'line'>;

/** Settlement lines in the ledger. Call the writing functions only inside a commit. */
export interface SettlementLedger {
  /** Adds an entry to today's file; a repeat changes nothing. */
  enter(entry: Entry, simulate: string | undefined): void;
  /** Adds an authorisation with immediate capture. */
  collect(request: AuthorisationRequest, answer: AuthorisationAnswer): void;
  /** Removes an authorisation's lines, unless their day is over. */
  remove(authorisation: string): void;
  /** Part of a day's file; undefined until the day is over. */
  readPart(day: string, part: number): SettlementFilePart | undefined;
}

export function createSettlementLedger(db: DatabaseSync, now: () => Date): SettlementLedger {
  const insert = db.prepare(
    'insert or ignore into settlement_lines values (null, ?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteLines = db.prepare(
    `delete from settlement_lines where entry = 'capture' and reference = ? and day = ?`,
  );
  const selectLines = db.prepare(
    `select row_number() over (order by line) as line, entry, reference, authorisation, amount, currency
     from settlement_lines where day = ? order by line limit ${PART_LINES} offset ?`,
  );
  const selectTrailer = db.prepare(
    'select count(*) as count, cast(coalesce(sum(amount), 0) as text) as sum from settlement_lines where day = ?',
  );
  const today = (): string => now().toISOString().slice(0, 10);

  const enter: SettlementLedger['enter'] = (newEntry, simulate) => {
    const { entry, reference, authorisation } = newEntry;
    linesOf(newEntry, simulate).forEach(({ amount, currency }, copy) => {
      insert.run(today(), entry, reference, copy, authorisation, amount, currency);
    });
  };

  return {
    enter,
    collect({ reference, amount, currency, simulate }, { approved_amount = amount }) {
      const entry = { entry: 'capture', reference, authorisation: reference } as const;
      enter({ ...entry, amount: approved_amount, currency }, simulate);
    },
    remove: (authorisation) => void deleteLines.run(authorisation, today()),
    readPart(day, part) {
      if (day >= today()) return undefined;
      const { count, sum } = {
        ...selectTrailer.get(day),
      } as unknown as SettlementFilePart['trailer'];
      return {
        day,
        part,
        is_last: part * PART_LINES >= count,
        lines: selectLines.all(day, (part - 1) * PART_LINES) as unknown as SettlementLine[],
        trailer: { count, sum },
      };
    },
  };
}
