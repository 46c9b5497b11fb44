import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type AccountRequest, reserveAccountRequest } from '../sql/account-requests.ts';

/** Id of a created record. `isReplay`: an earlier request with the same key created it. */
export interface CreatedId {
  readonly id: string;
  readonly isReplay: boolean;
}

/**
 * Creates the record `id` with `create`, once per idempotency key. Throws 409 if another request used
 * the key.
 */
export async function createdOnce(
  tx: Db,
  request: AccountRequest | undefined,
  id: string,
  create: () => Promise<void>,
): Promise<CreatedId> {
  const earlierRequest = request && (await reserveAccountRequest(tx, request, id));
  if (!earlierRequest) {
    await create();
    return { id, isReplay: false };
  }
  if (!request.accepted_hashes.includes(earlierRequest.request_hash)) throw conflictError();
  return { id: earlierRequest.made_id, isReplay: true };
}

const conflictError = () =>
  problem(
    'idempotency_conflict',
    'The idempotency key was used for another request. Use a new key.',
    { header: 'Idempotency-Key' },
  );
