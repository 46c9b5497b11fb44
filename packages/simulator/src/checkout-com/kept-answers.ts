import type { DatabaseSync } from 'node:sqlite';
import type { CheckoutAnswer } from './answer.ts';

export const KEPT_ANSWER_SCHEMA = `
  create table if not exists kept_answers (
    key_hash text not null,
    idempotency_key text not null,
    path text not null,
    stored_at integer not null,
    answer text not null,
    primary key (key_hash, idempotency_key, path)
  ) strict, without rowid`;

/** Scope of an idempotency key: the secret key's hash and the path. */
export interface KeptAnswerKey {
  readonly keyHash: string;
  readonly idempotencyKey: string;
  readonly path: string;
}

/** Successful responses kept for repeated idempotency keys. Call `keep` only inside a commit. */
export interface KeptAnswers {
  /** The response to an earlier request, if it was stored at `since` or later. */
  find(key: KeptAnswerKey, since: number): CheckoutAnswer | undefined;
  keep(key: KeptAnswerKey, answer: CheckoutAnswer, now: number): void;
}

export function createKeptAnswers(db: DatabaseSync): KeptAnswers {
  const select = db.prepare(
    `select answer from kept_answers
     where key_hash = ? and idempotency_key = ? and path = ? and stored_at >= ?`,
  );
  const insert = db.prepare('insert or replace into kept_answers values (?, ?, ?, ?, ?)');
  return {
    find({ keyHash, idempotencyKey, path }, since) {
      const row = select.get(keyHash, idempotencyKey, path, since);
      return row && (JSON.parse(String(row.answer)) as CheckoutAnswer);
    },
    keep: ({ keyHash, idempotencyKey, path }, answer, now) =>
      void insert.run(keyHash, idempotencyKey, path, now, JSON.stringify(answer)),
  };
}
