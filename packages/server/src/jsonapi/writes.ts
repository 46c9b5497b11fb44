import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import { isUuid, uuidv7 } from '../platform/ids.ts';
import type { Answer } from './answer.ts';
import type { Behaviour, RequestContext } from './behaviour.ts';
import { checkContentType } from './media-type.ts';
import type { Model } from './model.ts';
import { withChangedNames } from './old-names.ts';
import { type WrittenRecord, writeOnce } from './once.ts';
import { parseAction, parseCreate, parseUpdate } from './parse-document/parse-document.ts';
import { changedColumns, newRow } from './parse-document/rows.ts';
import type { Query } from './parse-query/query.ts';
import { requirePermission } from './permissions.ts';
import { notFound } from './problems.ts';
import { withUnchanged } from './read-only.ts';
import type { IdempotencyLookup } from './reading/idempotency-lookup.ts';
import type { Reader } from './reading/read.ts';
import { idOf, queryOf } from './request.ts';

/** A resource type with its write behaviour. */
export interface WritableType {
  readonly model: Model;
  readonly behaviour: Behaviour;
  readonly reader: Reader;
  /** Finds earlier requests with an idempotency key. */
  readonly idempotencyLookup: IdempotencyLookup;
}

/** Handles a create. The document and the query are checked completely before the behaviour runs. */
export async function handleCreate(
  writableType: WritableType,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<Answer> {
  const { model, behaviour, reader } = writableType;
  requirePermission(ctx, model, 'create');
  const query = reader.parseWriteQuery(ctx, model, queryOf(request));
  const input = parseCreate(model, requiredBody(request));
  const now = ctx.now();
  const row = newRow(model, input, { id: uuidv7(now), scope: ctx.scope, now });
  const record = behaviour.comparedRow?.(row) ?? row;
  const content = { operation: 'create', input, record };
  const writtenRecord = await writeOnce(
    keyedRequestsOf(writableType),
    ctx,
    content,
    (keyedContext) => expectDeclared(behaviour.create)(keyedContext, input, row),
  );
  const response = await showRecord(writableType, ctx, request, query, writtenRecord);
  const headers = {
    location: locationOf(ctx, model, writtenRecord.id),
    ...replayHeader(writtenRecord),
  };
  return { status: 201, ...response, headers };
}

/** Handles an update; checks like `handleCreate`. */
export async function handleUpdate(
  writableType: WritableType,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<Answer> {
  const { model, behaviour, reader } = writableType;
  const { id, query } = prepare(ctx, model, reader, request);
  const sentInput = parseUpdate(model, requiredBody(request), id);
  const input = await withChangedNames(writableType, ctx, id, sentInput);
  const { wasShown } = behaviour;
  const checkedContext = await withUnchanged({ model, reader, wasShown }, ctx, id, input);
  // As sent: a repeat finds another record, which may decide otherwise between old and new names.
  const content = { operation: 'update', id, input: sentInput };
  const writtenRecord = await writeOnce(
    keyedRequestsOf(writableType),
    checkedContext,
    content,
    (keyedContext) =>
      expectDeclared(behaviour.update)(keyedContext, id, input, changedColumns(model, input)),
  );
  const response = await showRecord(writableType, ctx, request, query, writtenRecord);
  return { status: 200, ...response, headers: replayHeader(writtenRecord) };
}

/** Handles an action; checks like `handleCreate`. */
export async function handleAction(
  writableType: WritableType,
  name: string,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<Answer> {
  const { model, behaviour, reader } = writableType;
  const { id, query } = prepare(ctx, model, reader, request);
  const body = bodyOf(request);
  if (body) checkContentType(request.headers['content-type']);
  const input = parseAction(model, body, id, name);
  const content = { operation: name, id, input };
  const writtenRecord = await writeOnce(
    keyedRequestsOf(writableType),
    ctx,
    content,
    (keyedContext) => expectDeclared(behaviour.actions?.[name])(keyedContext, id, input),
  );
  const response = await showRecord(writableType, ctx, request, query, writtenRecord);
  return { status: 200, ...response, headers: replayHeader(writtenRecord) };
}

const keyedRequestsOf = ({ model, idempotencyLookup, behaviour: { repeat } }: WritableType) => ({
  model,
  idempotencyLookup,
  repeat,
});

/** Responds with the written row, or with the record that an earlier request with the key wrote. */
const showRecord = (
  { model, reader }: WritableType,
  ctx: RequestContext,
  request: FastifyRequest,
  query: Query,
  { id, row }: WrittenRecord,
) =>
  row
    ? reader.renderRecord(ctx, model, row, query)
    : reader.fetchRecord(ctx, model, id, queryOf(request));

function prepare(ctx: RequestContext, model: Model, reader: Reader, request: FastifyRequest) {
  requirePermission(ctx, model, 'update');
  const id = idOf(request);
  if (!isUuid(id)) throw notFound();
  return { id, query: reader.parseWriteQuery(ctx, model, queryOf(request)) };
}

const bodyOf = ({ body }: FastifyRequest): Buffer | undefined =>
  Buffer.isBuffer(body) && body.length > 0 ? body : undefined;

function requiredBody(request: FastifyRequest): Buffer {
  const body = bodyOf(request);
  if (!body)
    throw problem('invalid_document', 'The request needs a JSON:API document as its body.');
  checkContentType(request.headers['content-type']);
  return body;
}

/** Returns a behaviour's function. Registration has checked that each declared write has one. */
function expectDeclared<F>(behaviour: F | undefined): F {
  if (!behaviour) throw new Error('a write was routed that has no behaviour');
  return behaviour;
}

/** Header for a repeated request: no changes, and the response is the current record. */
const replayHeader = ({ row }: WrittenRecord): Record<string, string> =>
  row ? {} : { 'idempotent-replayed': 'true' };

const locationOf = ({ base_url }: RequestContext, { type }: Model, id: string): string =>
  `${base_url}/v2/${type}/${id}`;
