import type { DatabaseSync } from 'node:sqlite';
import type { DisputeReason, NetworkDispute } from '@florin/contract/protocol/network.ts';

/** `news` is the place of the last change among those of all disputes. */
export const DISPUTE_SCHEMA = `
  create table if not exists disputes (
    reference text primary key,
    authorisation text not null unique,
    amount integer not null check (amount > 0),
    currency text not null,
    reason text not null,
    status text not null check (status in ('open', 'won', 'lost')),
    position integer not null unique
  ) strict, without rowid`;

/** Disputes that one answer lists. */
export const DISPUTES_LISTED_MAX = 100;

/** The words of evidence that the bank does not believe. */
const LOSING = 'losing_evidence';

/** The part of the books that is about disputes. Its writes belong into a commit of the books. */
export interface DisputeLedger {
  /** Opens the one dispute of an authorisation; a second one is the first. */
  open(
    authorisation: string,
    amount: number,
    currency: string,
    reason: DisputeReason,
  ): NetworkDispute;
  /** The bank decides at once. Undefined where there is no such dispute; a decision stands. */
  respond(reference: string, evidence: string | undefined): NetworkDispute | undefined;
  after(position: number): NetworkDispute[];
}

export function disputeLedger(db: DatabaseSync): DisputeLedger {
  const next = `(select coalesce(max(position), 0) + 1 from disputes)`;
  const insert = db.prepare(
    `insert or ignore into disputes values (?, ?, ?, ?, ?, 'open', ${next})`,
  );
  const decide = db.prepare(
    `update disputes set status = ?, position = ${next} where reference = ? and status = 'open'`,
  );
  const ofAuthorisation = db.prepare('select * from disputes where authorisation = ?');
  const byReference = db.prepare('select * from disputes where reference = ?');
  const listed = db.prepare(
    `select * from disputes where position > ? order by position limit ${DISPUTES_LISTED_MAX}`,
  );
  return {
    open(authorisation, amount, currency, reason) {
      insert.run(`dispute-${authorisation}`, authorisation, amount, currency, reason);
      return ofAuthorisation.get(authorisation) as unknown as NetworkDispute;
    },
    respond(reference, evidence) {
      const won = evidence !== undefined && !evidence.includes(LOSING);
      decide.run(won ? 'won' : 'lost', reference);
      return byReference.get(reference) as unknown as NetworkDispute | undefined;
    },
    after: (position) => listed.all(position) as unknown as NetworkDispute[],
  };
}
