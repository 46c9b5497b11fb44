import type { DatabaseSync } from 'node:sqlite';
import type { ScheduledEffect } from '@florin/contract/simulate.ts';

/** Requested simulations. `at` is in milliseconds since 1970; null for simulations without a time. */
export const SIMULATION_SCHEMA = `
  create table if not exists simulations (
    reference text primary key,
    simulate text not null,
    later text check (later in ('told', 'disputed')),
    at integer
  ) strict, without rowid;
  create index if not exists simulations_due on simulations (later, at)`;

/** Maximum disputes opened by one call. */
const OPENED_MAX = 100;

/** Scheduled simulations in the ledger. Call the writing functions only inside a commit. */
export interface SimulationLedger {
  enter(
    reference: string,
    simulate: string,
    scheduledEffect?: readonly [ScheduledEffect, Date],
  ): void;
  /** The simulation of an authorisation. */
  find(reference: string): string | undefined;
  /** Whether inquiries still get `pending` instead of the outcome. */
  isPending(reference: string, now: Date): boolean;
  /**
   * Returns each authorisation with a due dispute once. The dispute of an authorisation hold is due only after its
   * capture.
   */
  takeDisputed(now: Date): string[];
  /** Moves the scheduled effect to `now` if `now` is earlier; false if no effect is scheduled. */
  triggerEffect(reference: string, now: Date): boolean;
  /** Cancels the dispute of a reversed authorisation. */
  dropDispute(reference: string): void;
}

export function createSimulationLedger(db: DatabaseSync): SimulationLedger {
  const insert = db.prepare('insert into simulations values (?, ?, ?, ?)');
  const select = db.prepare('select * from simulations where reference = ?');
  const selectDisputed = db.prepare(
    `select reference from simulations s where later = 'disputed' and at <= ? and not exists (
       select 1 from holds h where h.reference = s.reference and not exists (
         select 1 from captures c where c.authorisation = h.reference and c.result = 'approved'))
     order by at limit ${OPENED_MAX}`,
  );
  const clearDispute = db.prepare(
    `update simulations set later = null where reference = ? and later = 'disputed'`,
  );
  const triggerEffect = db.prepare(
    'update simulations set at = min(at, ?) where reference = ? and later is not null',
  );
  return {
    enter(reference, simulate, scheduledEffect) {
      insert.run(
        reference,
        simulate,
        scheduledEffect?.[0] ?? null,
        scheduledEffect ? scheduledEffect[1].getTime() : null,
      );
    },
    find: (reference) => select.get(reference)?.simulate as string | undefined,
    isPending(reference, now) {
      const row = select.get(reference);
      return row?.later === 'told' && Number(row.at) > now.getTime();
    },
    takeDisputed(now) {
      const dueReferences = selectDisputed
        .all(now.getTime())
        .map(({ reference }) => String(reference));
      for (const reference of dueReferences) clearDispute.run(reference);
      return dueReferences;
    },
    triggerEffect: (reference, now) => triggerEffect.run(now.getTime(), reference).changes > 0,
    dropDispute: (reference) => void clearDispute.run(reference),
  };
}
