import type { DatabaseSync } from 'node:sqlite';
import type { Later } from '@florin/contract/simulate.ts';

/** What authorisations asked for, and when it happens: milliseconds since 1970, none where it needs no time of its own. */
export const LATER_SCHEMA = `
  create table if not exists simulations (
    reference text primary key,
    simulate text not null,
    later text check (later in ('told', 'disputed')),
    at integer
  ) strict, without rowid;
  create index if not exists simulations_due on simulations (later, at)`;

/** Disputes that are opened at once. */
const OPENED_MAX = 100;

/** The part of the books that is about what is to happen later. Its writes belong into a commit of the books. */
export interface LaterLedger {
  enter(reference: string, simulate: string, later?: readonly [Later, Date]): void;
  /** What the authorisation asked for. */
  find(reference: string): string | undefined;
  /** Whether the network is not to tell yet what came of it. */
  isUntold(reference: string, now: Date): boolean;
  /** Authorisations whose disputes are due; each is given once, and a hold not before it is captured. */
  takeDisputed(now: Date): string[];
  /** What the authorisation asked for later happens at `now`, where that is sooner; false where there is none. */
  hasten(reference: string, now: Date): boolean;
  /** The authorisation was undone: nobody disputes it. */
  dropDispute(reference: string): void;
}

export function laterLedger(db: DatabaseSync): LaterLedger {
  const insert = db.prepare('insert into simulations values (?, ?, ?, ?)');
  const select = db.prepare('select * from simulations where reference = ?');
  const disputed = db.prepare(
    `select reference from simulations s where later = 'disputed' and at <= ? and not exists (
       select 1 from holds h where h.reference = s.reference and not exists (
         select 1 from captures c where c.authorisation = h.reference and c.result = 'approved'))
     order by at limit ${OPENED_MAX}`,
  );
  const take = db.prepare(
    `update simulations set later = null where reference = ? and later = 'disputed'`,
  );
  const hasten = db.prepare(
    'update simulations set at = min(at, ?) where reference = ? and later is not null',
  );
  return {
    enter(reference, simulate, later) {
      insert.run(reference, simulate, later?.[0] ?? null, later ? later[1].getTime() : null);
    },
    find: (reference) => select.get(reference)?.simulate as string | undefined,
    isUntold(reference, now) {
      const row = select.get(reference);
      return row?.later === 'told' && Number(row.at) > now.getTime();
    },
    takeDisputed(now) {
      const due = disputed.all(now.getTime()).map(({ reference }) => String(reference));
      for (const reference of due) take.run(reference);
      return due;
    },
    hasten: (reference, now) => hasten.run(now.getTime(), reference).changes > 0,
    dropDispute: (reference) => void take.run(reference),
  };
}
