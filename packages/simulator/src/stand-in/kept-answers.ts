import type { DatabaseSync } from 'node:sqlite';
import type { StandInAnswer } from './answer.ts';

export const KEPT_ANSWER_SCHEMA = `
  create table if not exists kept_responses (
    scope text not null,
    idempotency_key text not null,
    stored_at integer not null,
    answer text not null,
    primary key (scope, idempotency_key)
  ) strict, without rowid`;

/** Idempotency key with the scope in which it is unique. The processor decides the scope. */
export interface KeptAnswerKey {
  readonly scope: string;
  readonly idempotencyKey: string;
}

/** Responses kept for repeated idempotency keys. Call `keep` only inside a commit. */
export interface KeptAnswers {
  /** The response to an earlier request, if it was stored at `since` or later. */
  find(key: KeptAnswerKey, since: number): StandInAnswer | undefined;
  keep(key: KeptAnswerKey, answer: StandInAnswer, now: number): void;
}

export function createKeptAnswers(db: DatabaseSync): KeptAnswers {
  const select = db.prepare(
    'select answer from kept_responses where scope = ? and idempotency_key = ? and stored_at >= ?',
  );
  const insert = db.prepare('insert or replace into kept_responses values (?, ?, ?, ?)');
  return {
    find({ scope, idempotencyKey }, since) {
      const row = select.get(scope, idempotencyKey, since);
      return row && (JSON.parse(String(row.answer)) as StandInAnswer);
    },
    keep: ({ scope, idempotencyKey }, answer, now) =>
      void insert.run(scope, idempotencyKey, now, JSON.stringify(answer)),
  };
}
