import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderUnavailablePage, wantsPage } from '../../http/pages/unavailable-page.ts';
import { sendPage } from '../../http/send-page.ts';
import type { Services, Stop } from '../../services.ts';
import { bodyMembersOf } from '../cell-router/body.ts';
import { type RoutedEntry, routingSubjectOf } from '../cell-router/subject.ts';
import { CELL_HEADER } from '../cells/cell-header.ts';
import { merchantOfCode } from '../cells/sql/stops.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Seconds until a refused caller should try again: a move takes seconds. */
const RETRY_AFTER_S = 2;

type RefusalDeps = Pick<Services, 'callers' | 'db' | 'stops'>;

/**
 * Refuses requests of merchants that move to another cell: writes while the cell still has them, then all, with the name
 * of the other cell. Register it before the routes. Costs nothing while no merchant moves.
 */
export function registerStopped(fastify: FastifyInstance, deps: RefusalDeps): void {
  const subjectOf = ({ method, raw, headers }: FastifyRequest) =>
    routingSubjectOf({ method, url: raw.url ?? '/', headers });
  fastify.addHook('onRequest', async (request, reply) => {
    const stopped = await deps.stops.current();
    if (stopped.size === 0) return;
    const subject = subjectOf(request);
    if ('value' in subject && subject.kind !== 'account')
      await refuse(deps, stopped, subject, request, reply);
  });
  fastify.addHook('preHandler', async (request, reply) => {
    const stopped = await deps.stops.current();
    if (stopped.size === 0) return;
    const subject = subjectOf(request);
    if (subject.kind !== 'body') return;
    const entry = subject.entryOf(membersOf(request.body));
    if (entry) await refuse(deps, stopped, entry, request, reply);
  });
}

async function refuse(
  deps: RefusalDeps,
  stopped: ReadonlyMap<string, Stop>,
  entry: RoutedEntry,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const merchant_id = await merchantOf(deps, entry);
  const stop = merchant_id === undefined ? undefined : stopped.get(merchant_id);
  if (!stop || (isReadable(stop) && READS.has(request.method))) return;
  const refusal = stoppedProblem(stop);
  const isMoved = stop.state === 'moved';
  // A router sends the request on to the other cell, so that nobody sees this page.
  if (!wantsPage(request) || isMoved) throw refusal;
  sendPage(reply, renderUnavailablePage(request, RETRY_AFTER_S));
}

const isReadable = ({ state }: Stop): boolean => state === 'leaving' || state === 'fenced';

async function merchantOf(
  { callers, db }: RefusalDeps,
  { kind, value }: RoutedEntry,
): Promise<string | undefined> {
  if (kind === 'merchant') return value;
  if (kind === 'key') return (await callers.find(value))?.scope.merchant_id;
  return kind === 'link' ? merchantOfCode(db, value) : undefined;
}

const membersOf = (body: unknown) =>
  bodyMembersOf(typeof body === 'string' ? body : JSON.stringify(body ?? null));

/** The 503 for a stopped merchant. Nothing was done. */
export const stoppedProblem = ({ state, other_cell }: Stop): ProblemError =>
  state === 'moved'
    ? problem(
        'unavailable',
        `The merchant has moved to the cell ${other_cell}. Send the request to the address of that cell.`,
        undefined,
        { headers: { 'retry-after': '1', [CELL_HEADER]: other_cell } },
      )
    : problem(
        'unavailable',
        'The merchant moves to another database, which takes seconds. Try again in a moment, with the same idempotency key.',
        undefined,
        { headers: { 'retry-after': String(RETRY_AFTER_S) } },
      );
