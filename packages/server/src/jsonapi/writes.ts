import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Row } from '../platform/database/row.ts';
import { isUuid, uuidv7 } from '../platform/ids.ts';
import type { Handler } from './answer.ts';
import type { Behaviour, RequestContext } from './behaviour.ts';
import { checkContentType } from './media-type.ts';
import type { Model } from './model.ts';
import { createOnce, type Written } from './once.ts';
import { parseAction, parseCreate, parseUpdate } from './parse-document/parse-document.ts';
import { changedColumns, newRow } from './parse-document/rows.ts';
import type { Query } from './parse-query/query.ts';
import { requirePermission } from './permissions.ts';
import { notFound } from './problems.ts';
import { withUnchanged } from './read-only.ts';
import type { Reader } from './reading/read.ts';
import type { Recall } from './reading/recall.ts';
import { idOf, queryOf } from './request.ts';

/** Handlers of the writes of one type. */
export interface Writes {
  readonly create: Handler;
  readonly update: Handler;
  /** Handler of a state change with its own address. */
  action(name: string): Handler;
}

/** A write is checked completely, its query included, before its behaviour runs. */
export function createWrites(
  model: Model,
  behaviour: Behaviour,
  reader: Reader,
  recall: Recall,
): Writes {
  const meaning = (record: Row): Row => behaviour.meaning?.(record) ?? record;
  const once = createOnce({ model, recall, repeat: behaviour.repeat });
  const answer = (
    ctx: RequestContext,
    request: FastifyRequest,
    query: Query,
    { id, row }: Written,
  ) =>
    row
      ? reader.renderRecord(ctx, model, row, query)
      : reader.fetchRecord(ctx, model, id, queryOf(request));
  return {
    async create(ctx, request) {
      requirePermission(ctx, model, 'create');
      const query = reader.parseWriteQuery(ctx, model, queryOf(request));
      const input = parseCreate(model, requiredBody(request));
      const now = ctx.now();
      const record = newRow(model, input, { id: uuidv7(now), scope: ctx.scope, now });
      const written = await once(
        ctx,
        { operation: 'create', input, record: meaning(record) },
        (keyed) => declared(behaviour.create)(keyed, input, record),
      );
      const headers = { location: locationOf(ctx, model, written.id), ...replayMark(written) };
      return { status: 201, ...(await answer(ctx, request, query, written)), headers };
    },
    async update(ctx, request) {
      const { id, query } = prepare(ctx, model, reader, request);
      const input = parseUpdate(model, requiredBody(request), id);
      const { wasShown } = behaviour;
      const expecting = await withUnchanged({ model, reader, wasShown }, ctx, id, input);
      const written = await once(expecting, { operation: 'update', id, input }, (keyed) =>
        declared(behaviour.update)(keyed, id, input, changedColumns(model, input)),
      );
      return {
        status: 200,
        ...(await answer(ctx, request, query, written)),
        headers: replayMark(written),
      };
    },
    action: (name) => async (ctx, request) => {
      const { id, query } = prepare(ctx, model, reader, request);
      const body = bodyOf(request);
      if (body) checkContentType(request.headers['content-type']);
      const input = parseAction(model, body, id, name);
      const written = await once(ctx, { operation: name, id, input }, (keyed) =>
        declared(behaviour.actions?.[name])(keyed, id, input),
      );
      return {
        status: 200,
        ...(await answer(ctx, request, query, written)),
        headers: replayMark(written),
      };
    },
  };
}

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

/** Registration has checked that every declared write has a behaviour. */
function declared<F>(behaviour: F | undefined): F {
  if (!behaviour) throw new Error('a write was routed that has no behaviour');
  return behaviour;
}

/** Header that marks a repeated request: nothing was changed, the answer is the current record. */
const replayMark = ({ row }: Written): Record<string, string> =>
  row ? {} : { 'idempotent-replayed': 'true' };

const locationOf = ({ base_url }: RequestContext, { type }: Model, id: string): string =>
  `${base_url}/v2/${type}/${id}`;
