import { type ErrorSource, problem } from '@florin/contract/errors.ts';
import type { IdempotencyKey, KeyHolder } from '../platform/database/idempotency.ts';
import type { Row } from '../platform/database/row.ts';
import { instantText } from '../platform/time/clock.ts';
import type { Repeat, RequestContext, WriteInput } from './behaviour.ts';
import type { Model } from './model.ts';
import type { IdempotencyLookup } from './reading/idempotency-lookup.ts';

/** Content of a request. Repeated requests with its key must match it. */
interface WriteRequest {
  /** `create`, `update` or the name of an action. */
  readonly operation: string;
  /** Id of the record to change. */
  readonly id?: string;
  readonly input: WriteInput;
  /** Creates only: the complete new row, so that an explicitly sent default equals an omitted one. */
  readonly record?: Row;
}

/** The written record. Without `row`, an earlier request with the same key wrote it. */
export interface WrittenRecord {
  readonly id: string;
  readonly row?: Row;
}

/** Requests of one type that have idempotency keys. */
interface KeyedRequests {
  readonly model: Model;
  readonly idempotencyLookup: IdempotencyLookup;
  readonly repeat: Repeat | undefined;
}

/** Minimum retention of a header's key, in days. */
const KEY_RETENTION_DAYS = 30;
const DAY_MICROS = 86_400_000_000;

/**
 * Writes once per idempotency key. A known key is answered before any other check; an unknown key is stored
 * in the transaction of the write. If the write fails because a concurrent request stored the key first, both
 * get the same response.
 */
export async function writeOnce(
  requests: KeyedRequests,
  ctx: RequestContext,
  request: WriteRequest,
  write: (ctx: RequestContext) => Promise<Row>,
): Promise<WrittenRecord> {
  const { idempotencyLookup } = requests;
  const source = sourceOf(ctx, request);
  if (!source) return writtenRecord(await write(ctx));
  const key = keyOf(requests, ctx, request, source);
  const earlierHolder = await idempotencyLookup.holderOf(key);
  if (earlierHolder) return replay(requests, { request, key, source }, earlierHolder);
  try {
    return writtenRecord(await write({ ...ctx, idempotency: key }));
  } catch (error) {
    const concurrentHolder = await idempotencyLookup.holderOf(key).catch(() => undefined);
    if (!concurrentHolder) throw error;
    return replay(requests, { request, key, source }, concurrentHolder);
  }
}

const writtenRecord = (row: Row): WrittenRecord => ({ id: row.id as string, row });

const headerSource = { header: 'Idempotency-Key' };
const attributeSource = { pointer: '/data/attributes/idempotency_key' };

const bodyKeyOf = ({ input }: WriteRequest): unknown => input.attributes.idempotency_key;

/** Request member or header that contains the key; undefined without a key. */
function sourceOf(
  { idempotency_key }: RequestContext,
  request: WriteRequest,
): ErrorSource | undefined {
  const keyInBody = bodyKeyOf(request);
  if (!keyInBody) return idempotency_key === undefined ? undefined : headerSource;
  if (idempotency_key === undefined || idempotency_key === keyInBody) return attributeSource;
  throw problem(
    'invalid_value',
    'The header Idempotency-Key and the attribute idempotency_key differ. Send one of them, or the same key in both.',
    headerSource,
  );
}

/** Retention of a key: some days for a header's key, the record's lifetime for a key attribute. */
function keyOf(
  { model: { type }, idempotencyLookup }: KeyedRequests,
  ctx: RequestContext,
  request: WriteRequest,
  source: ErrorSource,
): IdempotencyKey {
  const isLasting = source === attributeSource;
  const { operation } = request;
  return {
    ...ctx.scope,
    resource_type: type,
    operation,
    key: (isLasting ? bodyKeyOf(request) : ctx.idempotency_key) as string,
    request_hash: idempotencyLookup.hashOf(canonicalContentOf(request)),
    expires_at: isLasting ? null : instantText(ctx.now() + KEY_RETENTION_DAYS * DAY_MICROS),
  };
}

/** Canonical content of a request. In an update, null differs from an absent member. */
function canonicalContentOf({ id, input, record }: WriteRequest): unknown {
  if (!record) {
    const { attributes, relationships, read_only } = input;
    return [id, attributes, relationships, ...(read_only ? [read_only] : [])];
  }
  const { id: _id, created_at: _created, updated_at: _updated, ...row } = record;
  return [row, toManyOf(input)];
}

/** To-many relationships of a request; the row has no columns for them. */
const toManyOf = ({ relationships }: WriteInput): object =>
  Object.fromEntries(Object.entries(relationships).filter(([, target]) => Array.isArray(target)));

interface Repetition {
  readonly request: WriteRequest;
  readonly key: IdempotencyKey;
  readonly source: ErrorSource;
}

/** Throws if the key belongs to a different request. */
async function replay(
  { model, idempotencyLookup, repeat }: KeyedRequests,
  { request, key, source }: Repetition,
  earlierHolder: KeyHolder,
): Promise<WrittenRecord> {
  if (repeat && source === attributeSource) {
    const row = await idempotencyLookup.rowOf(model.table, key, earlierHolder);
    if (!row || !repeat.isSame(request.input, row)) throw repeat.conflictError();
  } else if (!idempotencyLookup.hasSameContent(key, earlierHolder)) throw conflictError(source);
  return { id: earlierHolder.resource_id };
}

const conflictError = (source: ErrorSource): Error =>
  problem(
    'idempotency_conflict',
    'The idempotency key was used for another request. Use a new key.',
    source,
  );
