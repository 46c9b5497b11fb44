import type { IncomingMessage } from 'node:http';
import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CELL_HEADER } from '../cells/cell-header.ts';
import { bodyMembersOf, readBytes } from './body.ts';
import { type CellAddress, CellDown, cellDownProblem, hasBody } from './cell-client.ts';
import { type CellRouterOptions, createRouterContext, type RouterContext } from './context.ts';
import { exchangeOf } from './exchange.ts';
import { answerTogether } from './join-lists.ts';
import type { ExchangeOutcome } from './metrics.ts';
import { notify } from './notify.ts';
import { placeMerchant } from './placement.ts';
import { type RoutedEntry, type RoutingSubject, routingSubjectOf } from './subject.ts';

/** Passes every request on to the cell of its merchant. The cell authenticates the request. */
export function registerCellRouter(fastify: FastifyInstance, options: CellRouterOptions): void {
  const context = createRouterContext(options);
  // A hook, not a handler: Fastify must neither read the body nor refuse its media type.
  const onRequest = (_request: FastifyRequest, reply: FastifyReply) => route(context, reply);
  fastify.all('/*', { onRequest }, async () => {});
}

async function route(context: RouterContext, reply: FastifyReply): Promise<void> {
  const { method, raw, headers } = reply.request;
  countRequest(context, reply);
  const subject = routingSubjectOf({ method, url: raw.url ?? '/', headers });
  try {
    await routeTo(context, reply, subject);
  } catch (error) {
    if (!(error instanceof CellDown) || reply.raw.destroyed) throw error;
    const { message } = error.cause as Error;
    context.logger.warn({ cell: error.cell, err: { message } }, 'cell does not answer');
    Object.assign(exchangeOf(reply.request), { cell: error.cell, is_down: true });
    throw cellDownProblem(error);
  }
}

const TOO_MANY_OF_ADDRESS =
  'This address has too many requests in progress. Wait for responses before you send more.';

/** Counts a request in the metrics once it ends, and refuses it beyond the limit of its address. */
function countRequest({ addresses, metrics }: RouterContext, reply: FastifyReply): void {
  const leave = addresses.enter(reply.request.ip);
  // Each cell that is asked listens too, so many listeners are no leak.
  reply.raw.setMaxListeners(0).once('close', () => {
    leave?.();
    const { cell = NO_CELL, own_ms } = exchangeOf(reply.request);
    metrics.observeExchange(outcomeOf(reply), { cell, own_ms });
  });
  if (leave) return;
  metrics.countRefusal('address');
  throw problem('rate_limited', TOO_MANY_OF_ADDRESS, undefined, {
    headers: { 'retry-after': '1' },
  });
}

/** Name for the metrics: the router answered. */
const NO_CELL = 'none';
const SERVER_FAULT = 500;

function outcomeOf({ request, raw: response }: FastifyReply): ExchangeOutcome {
  const { cell, is_down } = exchangeOf(request);
  if (!response.writableFinished) return 'cut';
  if (is_down) return 'down';
  if (cell === undefined) return 'refused';
  return response.statusCode >= SERVER_FAULT ? 'failed' : 'answered';
}

async function routeTo(
  context: RouterContext,
  reply: FastifyReply,
  subject: RoutingSubject,
): Promise<void> {
  const { client } = context;
  if (subject.kind === 'all' && !namedCell(context, reply))
    return answerTogether(context, reply, subject.order);
  if (subject.kind === 'account') return notify(context, reply, subject.value);
  if (subject.kind === 'any' || subject.kind === 'all')
    return client.relay(reply, await sendToAny(context, reply));
  if (subject.kind === 'first') return relayFirst(context, reply);
  if (subject.kind === 'new_merchant')
    return client.relay(reply, await client.send(await placed(context, reply), reply));
  const body = subject.kind === 'body' ? await readBytes(reply) : undefined;
  const entry =
    body && 'entryOf' in subject ? subject.entryOf(bodyMembersOf(body.toString())) : subject;
  const cell = entry && 'value' in entry ? await find(context, reply, entry) : undefined;
  if (!entry || !cell) return client.relay(reply, await sendToAny(context, reply, body));
  const sent = { entry: entry as RoutedEntry, cell, body };
  return client.relay(
    reply,
    await follow(context, reply, sent, await client.send(cell, reply, { body })),
  );
}

/** Cells that a request follows: the first may have remembered one that the merchant has left too. */
const FOLLOWED_MAX = 2;

interface Sent {
  readonly entry: RoutedEntry;
  readonly cell: CellAddress;
  readonly body: Buffer | undefined;
}

/** Follows a refusal that names the cell to which the merchant has moved. The first cell has done nothing. */
async function follow(
  context: RouterContext,
  reply: FastifyReply,
  { entry, cell, body }: Sent,
  answer: IncomingMessage,
  left = FOLLOWED_MAX,
): Promise<IncomingMessage> {
  const { finder, byName, client } = context;
  const named = answer.headers[CELL_HEADER];
  const other = typeof named === 'string' ? byName.get(named) : undefined;
  if (!other || other === cell || left === 0) return answer;
  answer.resume();
  finder.learn(entry, other.name);
  if (body || !hasBody(reply.request.headers)) {
    const next = await client.send(other, reply, { body });
    return follow(context, reply, { entry, cell: other, body }, next, left - 1);
  }
  throw problem('unavailable', HAS_MOVED, undefined, { headers: { 'retry-after': '1' } });
}

const HAS_MOVED =
  'The merchant has moved to another database. Try again in a moment, with the same idempotency key.';

/** Counts an unknown entry as a guess before the lookup, as cells do. Undefined if the directory has none. */
async function find(
  { finder, limits, byName, logger }: RouterContext,
  reply: FastifyReply,
  entry: RoutedEntry,
): Promise<CellAddress | undefined> {
  const { ip } = reply.request;
  const isNew = !finder.isRemembered(entry);
  if (isNew) limits.countAnonymous(reply, ip);
  const name = await finder.find(entry);
  if (name === undefined) return undefined;
  if (isNew) limits.exempt(ip);
  const cell = byName.get(name);
  if (cell) return cell;
  logger.error({ cell: name }, 'FLORIN_CELLS lacks a cell');
  throw problem('unavailable', `This router has no address of the cell ${name}.`);
}

/** Sends to the cell that the header names; without one, to the first cell that is ready. */
async function sendToAny(
  context: RouterContext,
  reply: FastifyReply,
  body?: Buffer,
): Promise<IncomingMessage> {
  const { client, readiness } = context;
  const named = namedCell(context, reply);
  const isRead = reply.request.method === 'GET' || reply.request.method === 'HEAD';
  let down: CellDown | undefined;
  for (const cell of named ? [named] : readiness.inOrder()) {
    try {
      return await client.send(cell, reply, { body });
    } catch (error) {
      if (!(error instanceof CellDown)) throw error;
      down ??= error;
      // The cell may have processed a write, and a body is gone. Without it, the next request would be read as it.
      if (!isRead || hasBody(reply.request.headers)) break;
    }
  }
  throw down;
}

/** Pages of one cell must write to it, also while it is not ready. The answer names the cell, for the reader. */
async function relayFirst(context: RouterContext, reply: FastifyReply): Promise<void> {
  const { client, cells } = context;
  const cell = namedCell(context, reply) ?? (cells[0] as CellAddress);
  return client.relay(reply, await client.send(cell, reply), [CELL_HEADER, cell.name]);
}

function namedCell({ byName }: RouterContext, { request }: FastifyReply): CellAddress | undefined {
  const name = request.headers[CELL_HEADER];
  if (name === undefined) return undefined;
  const cell = byName.get(String(name));
  if (cell) return cell;
  const names = [...byName.keys()].join(' or ');
  throw problem('not_found', `No cell has this name. Use ${names}.`, { header: 'Florin-Cell' });
}

async function placed(context: RouterContext, reply: FastifyReply): Promise<CellAddress> {
  const { global, cells } = context;
  const { headers, id } = reply.request;
  const seed = String(headers['idempotency-key'] ?? id);
  const cell = namedCell(context, reply) ?? (await placeMerchant(global, cells, seed));
  if (cell) return cell;
  throw problem('unavailable', 'No cell takes new merchants now. Ask the operator.');
}
