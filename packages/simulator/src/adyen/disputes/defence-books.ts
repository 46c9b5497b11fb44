import type { DatabaseSync } from 'node:sqlite';
import type { AdyenDisputeStatus, DisputeEventCode } from './dispute-stages.ts';

/** `is_losing`: the document says that the dispute must be lost. Contents of documents are not stored. */
export const DEFENCE_SCHEMA = `
  create table if not exists defence_documents (
    dispute text not null,
    type text not null,
    is_losing integer not null,
    primary key (dispute, type)
  ) strict, without rowid;
  create table if not exists planned_stages (
    position integer primary key,
    dispute text not null,
    event text not null,
    status text not null,
    due_at integer not null
  ) strict;
  create index if not exists planned_stages_due on planned_stages (due_at)`;

/** Stage that a dispute takes at a time, in milliseconds since 1970. */
export interface PlannedStage {
  readonly dispute: string;
  readonly eventCode: DisputeEventCode;
  readonly status: AdyenDisputeStatus;
  readonly dueAt: number;
}

/** Documents of defences and planned stages. Call the writing functions only inside a commit. */
export interface DefenceBooks {
  putDocument(dispute: string, type: string, isLosing: boolean): void;
  /** Whether there was a document of this type. */
  deleteDocument(dispute: string, type: string): boolean;
  /** Types of a dispute's documents, and whether one of them loses the dispute. */
  documentsOf(dispute: string): { readonly types: string[]; readonly isLosing: boolean };
  plan(stage: PlannedStage): void;
  /** First stage that is due, and removes it from the plans. */
  takeDue(now: number): PlannedStage | undefined;
  nextDue(): number | undefined;
}

export function createDefenceBooks(db: DatabaseSync): DefenceBooks {
  const put = db.prepare('insert or replace into defence_documents values (?, ?, ?)');
  const remove = db.prepare('delete from defence_documents where dispute = ? and type = ?');
  const selectDocuments = db.prepare('select * from defence_documents where dispute = ?');
  const insertPlan = db.prepare('insert into planned_stages values (null, ?, ?, ?, ?)');
  const takeFirst = db.prepare(
    `delete from planned_stages where position =
       (select position from planned_stages where due_at <= ? order by due_at, position limit 1)
     returning *`,
  );
  const selectNextDue = db.prepare('select min(due_at) as at from planned_stages');
  return {
    putDocument: (dispute, type, isLosing) => void put.run(dispute, type, Number(isLosing)),
    deleteDocument: (dispute, type) => remove.run(dispute, type).changes > 0,
    documentsOf(dispute) {
      const rows = selectDocuments.all(dispute);
      return {
        types: rows.map(({ type }) => String(type)),
        isLosing: rows.some(({ is_losing }) => Number(is_losing) === 1),
      };
    },
    plan: ({ dispute, eventCode, status, dueAt }) =>
      void insertPlan.run(dispute, eventCode, status, dueAt),
    takeDue(now) {
      const row = takeFirst.get(now);
      return (
        row && {
          dispute: String(row.dispute),
          eventCode: row.event as DisputeEventCode,
          status: row.status as AdyenDisputeStatus,
          dueAt: Number(row.due_at),
        }
      );
    },
    nextDue() {
      const at = selectNextDue.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
  };
}
