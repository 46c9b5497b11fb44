import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RestoreGate } from '../../platform/database/installation/restore-gate.ts';
import { renderUnavailablePage, wantsPage } from '../pages/unavailable-page.ts';
import { sendPage } from '../send-page.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests with which people look at a closed installation, and keep it from charging what was charged already. */
const ALLOWED_WRITES =
  /^\/(?:dashboard\/api\/session|v2\/payment_subscriptions\/[^/]+\/(?:pause|cancel)|v2\/payment_demands\/[^/]+\/cancel)(?:[/?]|$)/;

/** Seconds until a refused caller should try again. An operator opens the installation, so nobody knows when. */
const RETRY_AFTER_S = 60;
/** Page of the demo shop, which takes payments. */
const SHOP_PAGE = /^\/shop\/?(?:\?|$)/;
/** Scripts of the form, at the site of payers. Without them a merchant's page shows no form and no reason. */
const FORM_FILES = /^\/v1\//;

type Sent = Pick<FastifyRequest, 'method' | 'url'>;

/** Whether a restored, closed installation answers a request of the API or the dashboard. */
export const isAnsweredWhileClosed = ({ method, url }: Sent): boolean =>
  (READS.has(method) && !SHOP_PAGE.test(url)) || ALLOWED_WRITES.test(url);

/** Whether it answers a request at the site of payers. */
export const isFormFile = ({ method, url }: Sent): boolean =>
  READS.has(method) && FORM_FILES.test(url);

/**
 * Refuses requests with 503 while the installation is closed after a restore: a page for people, a problem for programs.
 * Register it before the routes.
 */
export function registerClosed(
  fastify: FastifyInstance,
  gate: RestoreGate,
  isAnswered: (request: FastifyRequest) => boolean,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (gate.restoredTo() === undefined || isAnswered(request)) done();
    else if (wantsPage(request)) sendPage(reply, renderUnavailablePage(request, RETRY_AFTER_S));
    else done(closedProblem());
  });
}

const closedProblem = () =>
  problem(
    'unavailable',
    'This Florin was restored from a backup, and its operator has not opened it yet. Try again later.',
    undefined,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  );
