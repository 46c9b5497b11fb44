import type { DatabaseSync } from 'node:sqlite';

/** Cards stored by customers. `card` names a test card: the books hold no card numbers. */
export const STORED_CARD_SCHEMA = `
  create table if not exists stored_cards (
    id text primary key,
    company text not null,
    shopper text not null,
    card text not null,
    expiry_month integer not null,
    expiry_year integer not null
  ) strict, without rowid`;

/** Card of a customer at a company account. */
export interface StoredCard {
  readonly id: string;
  readonly company: string;
  /** `shopperReference` of the customer. */
  readonly shopper: string;
  /** Name of the test card. */
  readonly card: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** Stored cards in the books. Call `put` only inside a commit. */
export interface StoredCardBooks {
  put(card: StoredCard): void;
  find(id: string): StoredCard | undefined;
  /** Id of a customer's card that is stored already. */
  idOf(card: Omit<StoredCard, 'id'>): string | undefined;
}

export function createStoredCardBooks(db: DatabaseSync): StoredCardBooks {
  const insert = db.prepare('insert into stored_cards values (?, ?, ?, ?, ?, ?)');
  const select = db.prepare('select * from stored_cards where id = ?');
  const selectId = db.prepare(
    `select id from stored_cards where company = ? and shopper = ? and card = ?
       and expiry_month = ? and expiry_year = ?`,
  );
  return {
    put: ({ id, company, shopper, card, expiryMonth, expiryYear }) =>
      void insert.run(id, company, shopper, card, expiryMonth, expiryYear),
    find(id) {
      const row = select.get(id);
      return (
        row && {
          id: String(row.id),
          company: String(row.company),
          shopper: String(row.shopper),
          card: String(row.card),
          expiryMonth: Number(row.expiry_month),
          expiryYear: Number(row.expiry_year),
        }
      );
    },
    idOf({ company, shopper, card, expiryMonth, expiryYear }) {
      const row = selectId.get(company, shopper, card, expiryMonth, expiryYear);
      return row && String(row.id);
    },
  };
}
