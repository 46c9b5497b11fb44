import type { Db } from '../../../platform/database/db.ts';

/** A person's request with an idempotency key. */
export interface AccountRequest {
  readonly account_id: string;
  readonly key: string;
  /** Keyed hash of the request's content. */
  readonly request_hash: string;
  /** Hashes of the same content by all valid keys, of which an earlier request may have one. */
  readonly accepted_hashes: readonly string[];
  readonly at: string;
}

/** Content hash and created record of an earlier request with the same key. */
export interface EarlierRequest {
  readonly request_hash: string;
  readonly made_id: string;
}

/**
 * Stores a request in the transaction of its effect. Waits for a concurrent request with the same
 * key, and returns that request if it was committed.
 */
export async function reserveAccountRequest(
  tx: Db,
  { account_id, key, request_hash, at }: AccountRequest,
  made_id: string,
): Promise<EarlierRequest | undefined> {
  const insertedRows = await tx.query(
    `insert into account_requests (account_id, key, request_hash, made_id, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning 1`,
    [account_id, key, request_hash, made_id, at],
    'take_account_request',
  );
  if (insertedRows.length > 0) return undefined;
  const [earlierRow] = await tx.query(
    'select request_hash, made_id from account_requests where account_id = $1 and key = $2',
    [account_id, key],
    'earlier_account_request',
  );
  return earlierRow as unknown as EarlierRequest;
}
