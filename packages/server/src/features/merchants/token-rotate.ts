import { DEFAULT_OVERLAP_SECONDS } from '@florin/contract/resources/merchant-tokens.ts';
import type { RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import { requireMatch } from '../../jsonapi/etag.ts';
import type { Model } from '../../jsonapi/model.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { KeyContext } from '../../platform/caller.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { keyTaken } from '../records/keys.ts';
import { requireBelowRecordLimit } from '../records/record-limit.ts';
import { wrongState } from '../records/wrong-state.ts';
import { hashKey, makeKey } from './api-key.ts';
import { rowOfKey } from './new-token.ts';
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
  const key = await makeSuccessor(services, ctx, id);
  const { old, row } = await services.db.transaction((tx) =>
    rotateRow(services, tx, ctx, { id, key, overlap: overlapOf(input) }),
  );
  services.callers.evict(hashOf(old));
  return { ...row, token: key };
}

/** Makes the new key, and enters it before the transaction: a transaction that waits for a second connection can exhaust the pool. */
async function makeSuccessor(
  { db, clock, directory }: Services,
  ctx: RequestContext,
  id: string,
): Promise<string> {
  const token = await findRow(db, 'merchant_tokens', ctx.scope, id);
  const { context } = requireRotatable(ctx, token, clock.now());
  const key = makeKey(ctx.scope.mode, context as KeyContext);
  await directory?.enterKey({ value: hashKey(key), merchant_id: ctx.scope.merchant_id });
  return key;
}

interface Rotation {
  readonly id: string;
  readonly key: string;
  readonly overlap: Micros;
}

const overlapOf = ({ attributes }: WriteInput): Micros =>
  seconds(Number(attributes.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS));

async function rotateRow(
  { catalog, clock }: Services,
  tx: Db,
  ctx: RequestContext,
  { id, key, overlap }: Rotation,
) {
  const now = clock.now();
  const oldToken = await lockToken(tx, ctx, id, now);
  const row = rowOfKey(key, successorOf(ctx, oldToken, now));
  const at = instantText(now);
  const set = { expiry: earlierOf(oldToken.expiry, instantText(now + overlap)) };
  await transition(tx, catalog, { table: 'merchant_tokens', at }, [{ before: oldToken, set }]);
  const record = { row, events: [], idempotency: ctx.idempotency };
  const [stored] = await insertRecords(tx, catalog, 'merchant_tokens', [record]);
  if (stored?.outcome === 'taken') throw keyTaken();
  return { old: oldToken, row };
}

/** Locks a key. Throws like `requireRotatable`. */
async function lockToken(tx: Db, ctx: RequestContext, id: string, now: Micros): Promise<Row> {
  const tokenKey = { ...ctx.scope, id };
  const oldToken = (await lockRows(tx, 'merchant_tokens', [tokenKey])).get(keyText(tokenKey));
  return requireRotatable(ctx, oldToken, now);
}

/** Throws if the caller may not rotate the key or the key has expired. */
function requireRotatable(ctx: RequestContext, oldToken: Row | undefined, now: Micros): Row {
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
