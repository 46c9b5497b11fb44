import type { DatabaseSync } from 'node:sqlite';
import type { AdyenDisputeStatus } from './dispute-stages.ts';

/** Disputes of payments. One payment may have several. */
export const ADYEN_DISPUTE_SCHEMA = `
  create table if not exists disputes (
    position integer primary key,
    psp text not null unique,
    payment text not null,
    account text not null,
    amount integer not null,
    currency text not null,
    reason_code text not null,
    status text not null,
    opened_at integer not null
  ) strict;
  create index if not exists disputes_payment on disputes (payment)`;

/** Dispute in the books. `openedAt` is in milliseconds since 1970, `amount` in Adyen's minor units. */
export interface AdyenDispute {
  readonly psp: string;
  readonly payment: string;
  readonly account: string;
  readonly amount: number;
  readonly currency: string;
  /** Reason code of the scheme, such as `10.4`. */
  readonly reasonCode: string;
  readonly status: AdyenDisputeStatus;
  readonly openedAt: number;
}

/** Disputes in the books. Call the writing functions only inside a commit. */
export interface AdyenDisputeBooks {
  insert(dispute: AdyenDispute): void;
  find(psp: string): AdyenDispute | undefined;
  setStatus(psp: string, status: AdyenDisputeStatus): void;
}

export function createAdyenDisputeBooks(db: DatabaseSync): AdyenDisputeBooks {
  const insert = db.prepare('insert into disputes values (null, ?, ?, ?, ?, ?, ?, ?, ?)');
  const select = db.prepare('select * from disputes where psp = ?');
  const update = db.prepare('update disputes set status = ? where psp = ?');
  return {
    insert({ psp, payment, account, amount, currency, reasonCode, status, openedAt }) {
      insert.run(psp, payment, account, amount, currency, reasonCode, status, openedAt);
    },
    find(psp) {
      const row = select.get(psp);
      return (
        row && {
          psp: String(row.psp),
          payment: String(row.payment),
          account: String(row.account),
          amount: Number(row.amount),
          currency: String(row.currency),
          reasonCode: String(row.reason_code),
          status: row.status as AdyenDisputeStatus,
          openedAt: Number(row.opened_at),
        }
      );
    },
    setStatus: (psp, status) => void update.run(status, psp),
  };
}
