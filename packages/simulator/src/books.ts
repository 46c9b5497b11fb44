import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
  Books,
  RefundAnswer,
  RefundRequest,
} from '@florin/contract/protocol/network.ts';
import { groupCommit } from './group-commit.ts';
import { REFUND_SCHEMA, refundLedger } from './refund-ledger.ts';
import { REVERSED_RESPONSE_CODE } from './response-codes.ts';

const FILE = 'books.sqlite';

/** `sent` counts authorisations by reference: 0 where only its reversal has arrived. */
const SCHEMA = `
  pragma locking_mode = exclusive;
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists authorisations (
    reference text primary key,
    last_four text,
    amount integer,
    currency text,
    result text not null check (result in ('approved', 'declined', 'reversed')),
    answer text not null,
    sent integer not null
  ) strict, without rowid;
  create table if not exists cryptograms (
    cavv text not null,
    reference text not null,
    primary key (cavv, reference)
  ) strict, without rowid`;

/** The network's durable record of what it has answered. It keeps the last four digits of a card. */
export interface BookStore extends Disposable {
  /**
   * The first answer for a reference, made by `decide` where there is none yet. `replayed`: the request's
   * cryptogram stands behind another authorisation that is approved.
   */
  authorise(
    request: AuthorisationRequest,
    decide: (replayed: boolean) => AuthorisationAnswer,
  ): Promise<AuthorisationAnswer>;
  /** Undoes an approval and refuses what may still arrive; a decline stays as it is, and so does what was refunded. */
  reverse(reference: string): Promise<AuthorisationAnswer>;
  find(reference: string): AuthorisationAnswer | undefined;
  /** The first answer for a refund's reference. */
  refund(authorisation: string, request: RefundRequest): Promise<RefundAnswer>;
  findRefund(reference: string): RefundAnswer | undefined;
  counts(): Books;
}

/** Opens the books in a folder, which it creates; throws where another process has them open. */
export function openBooks(dataDir: string): BookStore {
  mkdirSync(dataDir, { recursive: true });
  const db = new DatabaseSync(join(dataDir, FILE));
  try {
    db.exec(SCHEMA);
    db.exec(REFUND_SCHEMA);
    return bookStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The bank's and the device's; each counts once. */
const cryptogramsOf = ({ authentication, wallet }: AuthorisationRequest): string[] =>
  [authentication?.cavv, wallet?.cryptogram].filter((one) => one !== undefined);

const reversedAnswer = (reference: string): AuthorisationAnswer => ({
  reference,
  result: 'reversed',
  response_code: REVERSED_RESPONSE_CODE,
  avs: 'U',
  cvc: 'P',
});

function bookStore(db: DatabaseSync): BookStore {
  const commit = groupCommit(db);
  const ledger = refundLedger(db);
  const select = db.prepare('select answer from authorisations where reference = ?');
  const count = db.prepare(
    `select count(*) as authorisations,
       count(*) filter (where result = 'approved') as approved,
       count(*) filter (where result = 'declined') as declined,
       count(*) filter (where result = 'reversed') as reversed,
       count(*) filter (where sent > 1) as repeats
     from authorisations`,
  );
  const insert = db.prepare('insert into authorisations values (?, ?, ?, ?, ?, ?, ?)');
  const repeat = db.prepare('update authorisations set sent = sent + 1 where reference = ?');
  const useCryptogram = db.prepare('insert or ignore into cryptograms values (?, ?)');
  const countUses = db.prepare(
    `select count(*) as uses from cryptograms c join authorisations a on a.reference = c.reference
     where c.cavv = ? and a.result = 'approved'`,
  );
  const reverse = db.prepare(
    `insert into authorisations values (?, null, null, null, 'reversed', ?, 0)
     on conflict (reference) do update set result = 'reversed', answer = excluded.answer`,
  );

  function find(reference: string): AuthorisationAnswer | undefined {
    const row = select.get(reference);
    return row && (JSON.parse(String(row.answer)) as AuthorisationAnswer);
  }

  function authorise(
    request: AuthorisationRequest,
    decide: (replayed: boolean) => AuthorisationAnswer,
  ): AuthorisationAnswer {
    const { reference, card, amount, currency, capture } = request;
    const known = find(reference);
    if (known) {
      repeat.run(reference);
      return known;
    }
    const cryptograms = cryptogramsOf(request);
    const isUsed = (one: string): boolean => Number(countUses.get(one)?.uses) > 0;
    const answer = decide(cryptograms.some(isUsed));
    for (const one of cryptograms) useCryptogram.run(one, reference);
    const lastFour = card.number.slice(-4);
    insert.run(reference, lastFour, amount, currency, answer.result, JSON.stringify(answer), 1);
    if (answer.result === 'approved' && !capture) ledger.hold(reference);
    return answer;
  }

  function undo(reference: string): AuthorisationAnswer {
    const known = find(reference);
    if (known && (known.result !== 'approved' || ledger.refundedOf(reference) > 0)) return known;
    const answer = reversedAnswer(reference);
    reverse.run(reference, JSON.stringify(answer));
    return answer;
  }

  return {
    authorise: (request, decide) => commit(() => authorise(request, decide)),
    reverse: (reference) => commit(() => undo(reference)),
    find,
    refund: (authorisation, request) => commit(() => ledger.refund(authorisation, request)),
    findRefund: ledger.find,
    counts: () => ({ ...count.get(), ...ledger.totals() }) as unknown as Books,
    [Symbol.dispose]: () => db.close(),
  };
}
