import type { DatabaseSync } from 'node:sqlite';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
  NetworkCounts,
} from '@florin/contract/protocol/network.ts';
import type { AuthorisationHistory } from './decide.ts';
import { REVERSED_RESPONSE_CODE } from './response-codes.ts';

/** `sent` counts the requests with a reference; 0 if only its reversal has arrived. */
export const AUTHORISATION_SCHEMA = `
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
  ) strict, without rowid;
  create index if not exists authorisations_network_id
    on authorisations (json_extract(answer, '$.network_transaction_id'))`;

type Totals = Pick<
  NetworkCounts,
  'authorisations' | 'approved' | 'declined' | 'reversed' | 'repeats'
>;

/** Authorisations in the ledger. Call the writing functions only inside a commit. */
export interface AuthorisationLedger {
  find(reference: string): AuthorisationAnswer | undefined;
  /** The response with the amount of its request. */
  findPriced(reference: string): AuthorisationAnswer | undefined;
  /** The stored response to a repeated request. Counts the repeat. */
  findRepeated(reference: string): AuthorisationAnswer | undefined;
  /**
   * Whether an earlier approval used one of the cryptograms, and whether the original was approved with the same card.
   */
  historyOf(request: AuthorisationRequest): AuthorisationHistory;
  enter(request: AuthorisationRequest, answer: AuthorisationAnswer): void;
  /** Reverses an authorisation, even if the authorisation arrives later than its reversal. */
  reverse(reference: string): AuthorisationAnswer;
  totals(): Totals;
}

/** Cryptograms of bank, device and token service. Each cryptogram is accepted once. */
const cryptogramsOf = ({ authentication, wallet, network_token }: AuthorisationRequest): string[] =>
  [authentication?.cavv, wallet?.cryptogram, network_token?.cryptogram].filter(
    (cryptogram) => cryptogram !== undefined,
  );

const reversedAnswer = (reference: string): AuthorisationAnswer => ({
  reference,
  result: 'reversed',
  response_code: REVERSED_RESPONSE_CODE,
  avs: 'U',
  cvc: 'P',
});

export function createAuthorisationLedger(db: DatabaseSync): AuthorisationLedger {
  const selectAnswer = db.prepare(
    'select answer, amount, currency from authorisations where reference = ?',
  );
  const countAll = db.prepare(
    `select count(*) as authorisations,
       count(*) filter (where result = 'approved') as approved,
       count(*) filter (where result = 'declined') as declined,
       count(*) filter (where result = 'reversed') as reversed,
       count(*) filter (where sent > 1) as repeats
     from authorisations`,
  );
  const insert = db.prepare('insert into authorisations values (?, ?, ?, ?, ?, ?, ?)');
  const countRepeat = db.prepare('update authorisations set sent = sent + 1 where reference = ?');
  const useCryptogram = db.prepare('insert or ignore into cryptograms values (?, ?)');
  const countUses = db.prepare(
    `select count(*) as uses from cryptograms c join authorisations a on a.reference = c.reference
     where c.cavv = ? and a.result = 'approved'`,
  );
  const selectApproval = db.prepare(
    `select 1 from authorisations where json_extract(answer, '$.network_transaction_id') = ?
       and last_four = ? and result = 'approved' limit 1`,
  );
  const reverse = db.prepare(
    `insert into authorisations values (?, null, null, null, 'reversed', ?, 0)
     on conflict (reference) do update set result = 'reversed', answer = excluded.answer`,
  );

  function find(reference: string): AuthorisationAnswer | undefined {
    const row = selectAnswer.get(reference);
    return row && (JSON.parse(String(row.answer)) as AuthorisationAnswer);
  }

  return {
    find,
    findPriced(reference) {
      const { answer, amount, currency } = selectAnswer.get(reference) ?? {};
      if (answer === undefined) return undefined;
      const money = currency === null ? {} : { amount: Number(amount), currency: String(currency) };
      return { ...(JSON.parse(String(answer)) as AuthorisationAnswer), ...money };
    },
    findRepeated(reference) {
      const storedAnswer = find(reference);
      if (storedAnswer) countRepeat.run(reference);
      return storedAnswer;
    },
    historyOf(request) {
      const { initiated_by_merchant, card } = request;
      const originalTransactionId = initiated_by_merchant?.original_transaction_id;
      const isUsed = (cryptogram: string): boolean => Number(countUses.get(cryptogram)?.uses) > 0;
      return {
        isReplayed: cryptogramsOf(request).some(isUsed),
        isOriginalKnown:
          originalTransactionId !== undefined &&
          !!selectApproval.get(originalTransactionId, card.number.slice(-4)),
      };
    },
    enter(request, answer) {
      const { reference, card, amount, currency } = request;
      for (const cryptogram of cryptogramsOf(request)) useCryptogram.run(cryptogram, reference);
      const lastFour = card.number.slice(-4);
      const approvedAmount = answer.approved_amount ?? amount;
      const answerJson = JSON.stringify(answer);
      insert.run(reference, lastFour, approvedAmount, currency, answer.result, answerJson, 1);
    },
    reverse(reference) {
      const answer = reversedAnswer(reference);
      reverse.run(reference, JSON.stringify(answer));
      return answer;
    },
    totals: () => ({ ...countAll.get() }) as unknown as Totals,
  };
}
