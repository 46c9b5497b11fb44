import type { DatabaseSync } from 'node:sqlite';
import type { DisputeReason, NetworkDispute } from '@florin/contract/protocol/network.ts';

/** `position`: sequence number of the latest change of any dispute. One authorisation may have several disputes. */
export const DISPUTE_SCHEMA = `
  create table if not exists disputes (
    reference text primary key,
    authorisation text not null,
    amount integer not null check (amount > 0),
    currency text not null,
    reason text not null,
    status text not null check (status in ('open', 'won', 'lost')),
    position integer not null unique
  ) strict, without rowid;
  create index if not exists disputes_authorisation on disputes (authorisation)`;

/** Maximum disputes in one response. */
export const DISPUTES_LISTED_MAX = 100;

/** Evidence with this text loses the dispute. */
const LOSING_EVIDENCE = 'losing_evidence';

/** Disputes in the ledger. Call the writing functions only inside a commit. */
export interface DisputeLedger {
  /** The dispute of an authorisation's full remaining amount; undefined if none exists. */
  findWhole(authorisation: string): NetworkDispute | undefined;
  /** Opens another dispute of an authorisation, for its remaining amount or a part of it. */
  open(
    authorisation: string,
    money: { readonly amount: number; readonly currency: string },
    reason: DisputeReason,
    extent: 'whole' | 'part',
  ): NetworkDispute;
  /** Sum of an authorisation's open and lost disputes, in minor units. */
  disputedAmountOf(authorisation: string): number;
  /** Decides a dispute immediately and finally. Undefined if the dispute does not exist. */
  respond(reference: string, evidence: string | undefined): NetworkDispute | undefined;
  listAfter(position: number): NetworkDispute[];
}

/** Migrates ledgers of earlier versions, which allowed one dispute per authorisation. */
export function upgradeDisputes(db: DatabaseSync): void {
  const table = db.prepare(`select sql from sqlite_master where name = 'disputes'`).get();
  if (!String(table?.sql).includes('authorisation text not null unique')) return;
  db.exec(`begin; alter table disputes rename to earlier_disputes; ${DISPUTE_SCHEMA};
    insert into disputes select * from earlier_disputes; drop table earlier_disputes; commit`);
}

export function createDisputeLedger(db: DatabaseSync): DisputeLedger {
  const nextPosition = `(select coalesce(max(position), 0) + 1 from disputes)`;
  const insert = db.prepare(`insert into disputes values (?, ?, ?, ?, ?, 'open', ${nextPosition})`);
  const updateStatus = db.prepare(
    `update disputes set status = ?, position = ${nextPosition} where reference = ? and status = 'open'`,
  );
  const summarise = db.prepare(
    `select count(*) as count, coalesce(sum(amount) filter (where status <> 'won'), 0) as disputed
     from disputes where authorisation = ?`,
  );
  const selectDispute = db.prepare('select * from disputes where reference = ?');
  const selectListed = db.prepare(
    `select * from disputes where position > ? order by position limit ${DISPUTES_LISTED_MAX}`,
  );
  const referenceOf = (authorisation: string): string => `dispute-${authorisation}`;
  const find = (reference: string): NetworkDispute | undefined =>
    selectDispute.get(reference) as unknown as NetworkDispute | undefined;
  return {
    findWhole: (authorisation) => find(referenceOf(authorisation)),
    open(authorisation, { amount, currency }, reason, extent) {
      const disputeNumber = Number(summarise.get(authorisation)?.count) + 1;
      const reference =
        extent === 'whole'
          ? referenceOf(authorisation)
          : referenceOf(`${authorisation}-${disputeNumber}`);
      insert.run(reference, authorisation, amount, currency, reason);
      return find(reference) as NetworkDispute;
    },
    disputedAmountOf: (authorisation) => Number(summarise.get(authorisation)?.disputed),
    respond(reference, evidence) {
      const isWon = evidence !== undefined && !evidence.includes(LOSING_EVIDENCE);
      updateStatus.run(isWon ? 'won' : 'lost', reference);
      return find(reference);
    },
    listAfter: (position) => selectListed.all(position) as unknown as NetworkDispute[],
  };
}
