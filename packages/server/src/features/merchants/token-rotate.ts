import { DEFAULT_OVERLAP_SECONDS } from '@florin/contract/resources/merchant-tokens.ts';
import type { RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import { requireMatch } from '../../jsonapi/etag.ts';
import type { Model } from '../../jsonapi/model.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { keyTaken } from '../records/keys.ts';
import { requireBelowRecordLimit } from '../records/record-limit.ts';
import { wrongState } from '../records/wrong-state.ts';
import { createToken } from './new-token.ts';
import { hasExpired, requireHeld } from './token-life.ts';
import { hashOf } from './token-update.ts';

/**
 * Creates a successor of a key. Both keys work for a while, then the old key expires. Uses one
 * transaction: if the response is lost, the old key can be rotated again.
 */
export async function rotateToken(
  services: Services,
  model: Model,
  ctx: RequestContext,
  id: string,
  input: WriteInput,
): Promise<Row> {
  await requireBelowRecordLimit(services, model, ctx);
  const { old, key, row } = await services.db.transaction((tx) =>
    rotateRow(services, tx, ctx, id, overlapOf(input)),
  );
  services.callers.evict(hashOf(old));
  return { ...row, token: key };
}

const overlapOf = ({ attributes }: WriteInput): Micros =>
  seconds(Number(attributes.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS));

async function rotateRow(
  { catalog, clock }: Services,
  tx: Db,
  ctx: RequestContext,
  id: string,
  overlap: Micros,
) {
  const now = clock.now();
  const oldToken = await lockToken(tx, ctx, id, now);
  const { key, row } = createToken(successorOf(ctx, oldToken, now));
  const at = instantText(now);
  const set = { expiry: earlierOf(oldToken.expiry, instantText(now + overlap)) };
  await transition(tx, catalog, { table: 'merchant_tokens', at }, [{ before: oldToken, set }]);
  const record = { row, events: [], idempotency: ctx.idempotency };
  const [stored] = await insertRecords(tx, catalog, 'merchant_tokens', [record]);
  if (stored?.outcome === 'taken') throw keyTaken();
  return { old: oldToken, key, row };
}

/** Locks a key. Throws if the caller may not rotate the key or the key has expired. */
async function lockToken(tx: Db, ctx: RequestContext, id: string, now: Micros): Promise<Row> {
  const tokenKey = { ...ctx.scope, id };
  const oldToken = (await lockRows(tx, 'merchant_tokens', [tokenKey])).get(keyText(tokenKey));
  if (!oldToken || oldToken.mode !== ctx.scope.mode) throw notFound();
  requireMatch(ctx.if_match, oldToken);
  requireHeld(ctx, oldToken, 'rotate');
  if (hasExpired(oldToken, now))
    throw wrongState({ noun: 'key', state: 'expired', actions: [] }, 'rotate', MAKE_ANOTHER);
  return oldToken;
}

const MAKE_ANOTHER = 'Create another key.';

/**
 * Row of the successor, with name, permissions and origins of the old key. The person who rotates answers for it. Expires with the old
 * key, and no later than the caller's key.
 */
function successorOf({ key, membership_id }: RequestContext, oldToken: Row, now: Micros): Row {
  const at = instantText(now);
  return {
    ...oldToken,
    id: uuidv7(now),
    creator_id: membership_id ?? oldToken.creator_id ?? null,
    expiry: earlierOf(oldToken.expiry, key?.expiry),
    revoked_at: null,
    last_used_at: null,
    created_at: at,
    updated_at: at,
  };
}

/** The earlier of two instants. Null and undefined mean no end. */
function earlierOf(
  instant: string | null | undefined,
  otherInstant: string | null | undefined,
): string | null {
  if (instant == null || otherInstant == null) return instant ?? otherInstant ?? null;
  return microsOf(instant) <= microsOf(otherInstant) ? instant : otherInstant;
}
