import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Answer, type Authenticate, type Handler, sendProblem, withErrors } from './answer.ts';
import type { Behaviour, Behaviours, RequestContext } from './behaviour.ts';
import type { Model, Models, RelationModel } from './model.ts';
import { requirePermission } from './permissions.ts';
import { asProblemError } from './problems.ts';
import type { IdempotencyLookup } from './reading/idempotency-lookup.ts';
import type { Reader } from './reading/read.ts';
import { BODY_BYTES_MAX, idOf, queryOf } from './request.ts';
import { handleAction, handleCreate, handleUpdate } from './writes.ts';

interface RoutesOptions {
  readonly models: Models;
  /** Write side of every type that declares a create, an update or an action. */
  readonly behaviours: Behaviours;
  readonly reader: Reader;
  /** Finds earlier requests with an idempotency key. */
  readonly idempotencyLookup: IdempotencyLookup;
  readonly authenticate: Authenticate;
  /** Public origin of the API, for the links of errors. */
  readonly base_url: string;
  /** Maps errors of lower layers, such as overload, to problems for clients. */
  readonly translate?: (error: unknown) => unknown;
  /** Logs errors that are answered with 500. */
  readonly report: (error: unknown, request: FastifyRequest) => void;
}

/** One URL pattern with its handler per method. */
export interface Address {
  readonly url: string;
  readonly handlers: Readonly<Partial<Record<'GET' | 'POST' | 'PATCH' | 'PUT', Handler>>>;
}

const standardMethods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE'] as const;

/**
 * Registers the routes of every resource type on `app`, with an error handler and a parser that leaves bodies
 * as bytes. Throws if a declared operation has no behaviour.
 */
export function registerRoutes(app: FastifyInstance, options: RoutesOptions): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );
  app.setErrorHandler((error, request, reply) => {
    const problemError = asProblemError(options.translate?.(error) ?? error);
    if (problemError.problems.some(({ code }) => code === 'internal'))
      options.report(error, request);
    return sendProblem(reply, problemError, options.base_url);
  });
  for (const model of options.models.all) {
    for (const address of addressesOf(model, options))
      registerAddress(app, options.authenticate, address);
  }
}

/** Registers the methods of an address. Others are answered with 405. */
export function registerAddress(
  app: FastifyInstance,
  authenticate: Authenticate,
  { url, handlers }: Address,
): void {
  const methods = Object.keys(handlers);
  const allow = [...methods, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  for (const [method, handler] of Object.entries(handlers)) {
    app.route({ method, url, handler: withErrors(authenticate, handler) });
  }
  app.route({
    method: 'OPTIONS',
    url,
    handler: (_request, reply) => reply.code(204).headers({ allow, vary: 'Accept' }).send(),
  });
  app.route({
    method: standardMethods.filter((method) => !methods.includes(method)),
    url,
    handler: () => {
      throw problem('method_not_allowed', `This address accepts ${allow}.`, undefined, {
        headers: { allow },
      });
    },
  });
}

function addressesOf(
  model: Model,
  { behaviours, reader, idempotencyLookup }: RoutesOptions,
): Address[] {
  const { type, operations, actions = {} } = model.resource;
  const writableType = {
    model,
    behaviour: behaviourOf(model, behaviours),
    reader,
    idempotencyLookup,
  };
  const hasOperation = (operation: (typeof operations)[number]) => operations.includes(operation);
  const collectionUrl = `/v2/${type}`;
  const recordUrl = `${collectionUrl}/:id`;
  const list: Handler = (ctx, request) => handleList(model, reader, ctx, request);
  const create: Handler = (ctx, request) => handleCreate(writableType, ctx, request);
  const fetch: Handler = (ctx, request) => handleFetch(model, reader, ctx, request);
  const update: Handler = (ctx, request) => handleUpdate(writableType, ctx, request);
  return [
    {
      url: collectionUrl,
      handlers: {
        ...(hasOperation('list') && { GET: list }),
        ...(hasOperation('create') && { POST: create }),
      },
    },
    {
      url: recordUrl,
      handlers: {
        ...(hasOperation('fetch') && { GET: fetch }),
        ...(hasOperation('update') && patchAndPut(update)),
      },
    },
    ...Object.keys(actions).map((name) => ({
      url: `${recordUrl}/${name}`,
      handlers: actionMethods((ctx, request) => handleAction(writableType, name, ctx, request)),
    })),
    ...[...model.relations.values()].map((relation) => ({
      url: `${recordUrl}/relationships/${relation.name}`,
      handlers: {
        GET: (ctx: RequestContext, request: FastifyRequest) =>
          handleRelated(model, relation, reader, ctx, request),
      },
    })),
  ];
}

/** Some existing clients send PUT for an update. */
const patchAndPut = (handler: Handler) => ({ PATCH: handler, PUT: handler });

/** Actions are documented as PATCH. Clients that know other payment services send POST. */
const actionMethods = (handler: Handler) => ({ POST: handler, ...patchAndPut(handler) });

async function handleList(
  model: Model,
  reader: Reader,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<Answer> {
  requirePermission(ctx, model, 'read');
  return { status: 200, ...(await reader.listRecords(ctx, model, queryOf(request))) };
}

async function handleFetch(
  model: Model,
  reader: Reader,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<Answer> {
  requirePermission(ctx, model, 'read');
  const query = queryOf(request);
  return { status: 200, ...(await reader.fetchRecord(ctx, model, idOf(request), query)) };
}

async function handleRelated(
  model: Model,
  relation: RelationModel,
  reader: Reader,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<Answer> {
  requirePermission(ctx, model, 'read');
  requirePermission(ctx, relation.target, 'read');
  const query = queryOf(request);
  const relatedDocument = await reader.fetchRelated(ctx, model, idOf(request), relation, query);
  return { status: 200, ...relatedDocument };
}

function behaviourOf(model: Model, behaviours: Behaviours): Behaviour {
  const { type, operations, actions = {} } = model.resource;
  const behaviour = behaviours[type] ?? {};
  const missingHandlers = [
    ...(['create', 'update'] as const).filter(
      (name) => operations.includes(name) && !behaviour[name],
    ),
    ...Object.keys(actions).filter((name) => !behaviour.actions?.[name]),
  ];
  if (missingHandlers.length > 0)
    throw new Error(`${type} declares ${missingHandlers.join(', ')} but has no behaviour for it`);
  return behaviour;
}
