import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import type { Row } from '../store/row.ts';
import type { Handler } from './answer.ts';
import type { Behaviour, RequestContext } from './behaviour.ts';
import { checkContentType } from './media-type.ts';
import type { Model } from './model.ts';
import { parseAction, parseCreate, parseUpdate } from './parse-document/parse-document.ts';
import { changedColumns, newRow } from './parse-document/rows.ts';
import { requirePermission } from './permissions.ts';
import type { Reader } from './read.ts';
import { idOf, queryOf } from './request.ts';

/** The handlers of the writes of one type. */
export interface Writes {
  readonly create: Handler;
  readonly update: Handler;
  /** A state change with an address of its own. */
  action(name: string): Handler;
}

/** A write is checked whole, its query included, before its behaviour hears of it. */
export function createWrites(model: Model, behaviour: Behaviour, reader: Reader): Writes {
  return {
    async create(ctx, request) {
      requirePermission(ctx, model, 'create');
      const query = reader.parseWriteQuery(ctx, model, queryOf(request));
      const input = parseCreate(model, requiredBody(request));
      const now = ctx.now();
      const record = newRow(model, input, { id: uuidv7(now), scope: ctx.scope, now });
      const row = await declared(behaviour.create)(ctx, input, record);
      const body = await reader.renderRecord(ctx, model, row, query);
      return { status: 201, body, headers: { location: locationOf(ctx, model, row) } };
    },
    async update(ctx, request) {
      const { id, query } = prepare(ctx, model, reader, request);
      const input = parseUpdate(model, requiredBody(request), id);
      const row = await declared(behaviour.update)(ctx, id, input, changedColumns(model, input));
      return { status: 200, body: await reader.renderRecord(ctx, model, row, query) };
    },
    action: (name) => async (ctx, request) => {
      const { id, query } = prepare(ctx, model, reader, request);
      const body = bodyOf(request);
      if (body) checkContentType(request.headers['content-type']);
      const input = parseAction(model, body, id);
      const row = await declared(behaviour.actions?.[name])(ctx, id, input);
      return { status: 200, body: await reader.renderRecord(ctx, model, row, query) };
    },
  };
}

function prepare(ctx: RequestContext, model: Model, reader: Reader, request: FastifyRequest) {
  requirePermission(ctx, model, 'update');
  const id = idOf(request);
  if (!isUuid(id)) throw problem('not_found', 'No record with this id is visible to the token.');
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

/** Registration has checked that whatever a type declares has a behaviour. */
function declared<F>(behaviour: F | undefined): F {
  if (!behaviour) throw new Error('a write was routed that has no behaviour');
  return behaviour;
}

const locationOf = ({ base_url }: RequestContext, { type }: Model, { id }: Row): string =>
  `${base_url}/v2/${type}/${id}`;
