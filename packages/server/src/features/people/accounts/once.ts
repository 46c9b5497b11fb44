import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type AccountRequest, takeAccountRequest } from '../sql/account-requests.ts';

/** What was made, and whether an earlier request of the same key had made it. */
export interface Made {
  readonly id: string;
  readonly isReplay: boolean;
}

/** Makes `id` by `work`, once for a request that names a key. Throws 409 where the key was used for something else. */
export async function madeOnce(
  tx: Db,
  request: AccountRequest | undefined,
  id: string,
  work: () => Promise<void>,
): Promise<Made> {
  const earlier = request && (await takeAccountRequest(tx, request, id));
  if (!earlier) {
    await work();
    return { id, isReplay: false };
  }
  if (earlier.request_hash !== request.request_hash) throw conflict();
  return { id: earlier.made_id, isReplay: true };
}

const conflict = () =>
  problem(
    'idempotency_conflict',
    'An earlier request with this idempotency key asked for something else. Use a new key for a new request.',
    { header: 'Idempotency-Key' },
  );
