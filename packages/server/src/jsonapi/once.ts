import { type ErrorSource, problem } from '@florin/contract/errors.ts';
import type { IdempotencyKey, KeyHolder } from '../platform/database/idempotency.ts';
import type { Row } from '../platform/database/row.ts';
import { instantText } from '../platform/time/clock.ts';
import type { Repeat, RequestContext, WriteInput } from './behaviour.ts';
import type { Model } from './model.ts';
import type { Recall } from './recall.ts';
import { requestHash } from './request-hash.ts';

/** What a request asks for; one with the same key must agree in it. */
interface Asked {
  /** `create`, `update` or the name of an action. */
  readonly operation: string;
  /** The record that is to be changed. */
  readonly id?: string;
  readonly input: WriteInput;
  /** Of a create: the complete new row, defaults applied, so that one that is written out is no other request. */
  readonly record?: Row;
}

/** The record that was written; without a row where an earlier request with the same key has written it. */
export interface Written {
  readonly id: string;
  readonly row?: Row;
}

/** Does a write, but only once for one idempotency key. */
type Once = (
  ctx: RequestContext,
  asked: Asked,
  write: (ctx: RequestContext) => Promise<Row>,
) => Promise<Written>;

interface OnceOptions {
  readonly model: Model;
  readonly recall: Recall;
  readonly repeat: Repeat | undefined;
}

/** Days for which the key of a header is remembered at least. */
const KEY_KEPT_DAYS = 30;
const DAY_MICROS = 86_400_000_000;

/**
 * A known key is answered before anything else is looked at. An unknown one is stored by the write, in the
 * write's own transaction; when that fails, a twin may have come first, and its answer is that of both.
 */
export const createOnce =
  (options: OnceOptions): Once =>
  async (ctx, asked, write) => {
    const { model, recall } = options;
    const source = sourceOf(ctx, asked);
    if (!source) return written(await write(ctx));
    const key = keyOf(model, ctx, asked, source);
    const earlier = await recall.holderOf(key);
    if (earlier) return replay(options, { asked, key, source }, earlier);
    try {
      return written(await write({ ...ctx, idempotency: key }));
    } catch (error) {
      const twin = await recall.holderOf(key).catch(() => undefined);
      if (!twin) throw error;
      return replay(options, { asked, key, source }, twin);
    }
  };

const written = (row: Row): Written => ({ id: row.id as string, row });

const header = { header: 'Idempotency-Key' };
const attribute = { pointer: '/data/attributes/idempotency_key' };

const bodyKey = ({ input }: Asked): unknown => input.attributes.idempotency_key;

/** Where the request has its key; undefined where it has none. */
function sourceOf({ idempotency_key }: RequestContext, asked: Asked): ErrorSource | undefined {
  const inBody = bodyKey(asked);
  if (!inBody) return idempotency_key === undefined ? undefined : header;
  if (idempotency_key === undefined || idempotency_key === inBody) return attribute;
  throw problem(
    'invalid_value',
    'The header Idempotency-Key and the attribute idempotency_key are two different keys. Send one of them, or the same in both.',
    header,
  );
}

/** The key of a header is kept for some days; one that is an attribute of its record, as long as that. */
function keyOf(
  { type }: Model,
  ctx: RequestContext,
  asked: Asked,
  source: ErrorSource,
): IdempotencyKey {
  const lasting = source === attribute;
  const { operation } = asked;
  return {
    ...ctx.scope,
    resource_type: type,
    operation,
    key: (lasting ? bodyKey(asked) : ctx.idempotency_key) as string,
    request_hash: requestHash(meaningOf(asked)),
    expires_at: lasting ? null : instantText(ctx.now() + KEY_KEPT_DAYS * DAY_MICROS),
  };
}

/** What a request asks for, in one form. An update says what it changes, so that there null is not the same as nothing. */
function meaningOf({ id, input, record }: Asked): unknown {
  if (!record) {
    const { attributes, relationships, read_only } = input;
    return [id, attributes, relationships, ...(read_only ? [read_only] : [])];
  }
  const { id: _id, created_at: _created, updated_at: _updated, ...row } = record;
  return [row, manyOf(input)];
}

/** The to-many relationships, which are no columns of the row. */
const manyOf = ({ relationships }: WriteInput): object =>
  Object.fromEntries(Object.entries(relationships).filter(([, target]) => Array.isArray(target)));

interface Repetition {
  readonly asked: Asked;
  readonly key: IdempotencyKey;
  readonly source: ErrorSource;
}

/** Throws where the key belongs to a request that asked for something else. */
async function replay(
  { model, recall, repeat }: OnceOptions,
  { asked, key, source }: Repetition,
  earlier: KeyHolder,
): Promise<Written> {
  if (repeat && source === attribute) {
    const row = await recall.rowOf(model.table, key, earlier);
    if (!row || !repeat.same(asked.input, row)) throw repeat.conflict();
  } else if (earlier.request_hash !== key.request_hash) throw conflict(source);
  return { id: earlier.resource_id };
}

const conflict = (source: ErrorSource): Error =>
  problem(
    'idempotency_conflict',
    'An earlier request with this idempotency key asked for something else. Use a new key for a new request.',
    source,
  );
