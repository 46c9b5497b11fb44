import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseRawCardInBody, refuseRawCardInHead } from '../../../http/raw-card.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import { createQuota, type Quota } from '../../../platform/rates/quota.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Person } from '../sql/sessions.ts';
import { requireOwnPage } from './own-page.ts';
import { cookieOf, sessionTokenOf } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has signed in; undefined where nobody has. */
    person: Person | undefined;
  }
  interface FastifyContextConfig {
    /** Also for those who have not signed in. */
    open?: true;
    /** For those who have shown lately who they are. */
    fresh?: true;
    /** A long number in its body is no card's. */
    numbers?: true;
  }
}

export interface DashboardApiOptions {
  readonly sessions: Sessions;
  readonly public_url: string;
  readonly monotonic_ms: () => number;
}

/** Requests of one person, or of a network where nobody has signed in: so many at once, and again each minute. */
const PER_MINUTE = { person: 600, stranger: 600 } as const;
const MINUTE_SECONDS = 60;

/**
 * What all addresses below `/dashboard/api` share: who asks, that it is a page of ours, how often. They take and give
 * plain JSON objects; errors are those of the interface.
 */
export function registerDashboardApi(fastify: FastifyInstance, options: DashboardApiOptions): void {
  const { sessions, public_url } = options;
  const quotas = quotasOf(options);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
  fastify.decorateRequest('person', undefined);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseRawCardInHead(request.originalUrl, request.headers);
    requireOwnPage(request, public_url);
    if (isWrite(request)) requireDashboard(request);
    const token = sessionTokenOf(request, public_url);
    request.person = await admitted(sessions, quotas, request, token);
    const { open, fresh } = request.routeOptions.config;
    if (!open && !request.person) throw signedOut();
    if (fresh && !sessions.isFresh(personOf(request).session)) throw notFresh();
  });
  fastify.addHook('preValidation', async ({ body, routeOptions }) => {
    if (!routeOptions.config.numbers) refuseRawCardInBody(body);
  });
}

const quotasOf = ({ monotonic_ms }: DashboardApiOptions): Record<'person' | 'stranger', Quota> => ({
  person: createQuota({ requests: PER_MINUTE.person, seconds: MINUTE_SECONDS, monotonic_ms }),
  stranger: createQuota({ requests: PER_MINUTE.stranger, seconds: MINUTE_SECONDS, monotonic_ms }),
});

/**
 * Who has signed in, counted. A token that was not good before may be a guess: it is counted before it costs a query, and
 * excused if it was none.
 */
async function admitted(
  sessions: Sessions,
  quotas: Record<'person' | 'stranger', Quota>,
  { ip }: FastifyRequest,
  token: string | undefined,
): Promise<Person | undefined> {
  const network = networkOf(ip);
  const isNew = token === undefined || !sessions.seen(token);
  if (isNew) count(quotas.stranger, network);
  const person = token === undefined ? undefined : await sessions.find(token);
  if (person) count(quotas.person, person.account.id);
  if (person && isNew) quotas.stranger.giveBack(network);
  if (!person && !isNew) count(quotas.stranger, network);
  return person;
}

function count(quota: Quota, key: string): void {
  const { granted, wait_ms } = quota.take(key);
  if (!granted) throw tooOften(Math.ceil(wait_ms / 1_000));
}

/** Refuses what has been tried too often, and says when it may be tried again. */
const tooOften = (wait_seconds: number) =>
  problem('rate_limited', `Too many requests. Try again in ${wait_seconds} s.`, undefined, {
    headers: { 'retry-after': String(wait_seconds) },
    meta: { retry_after_seconds: wait_seconds },
  });

/** Who has signed in. Throws 401 where nobody has. */
export function personOf({ person }: FastifyRequest): Person {
  if (person) return person;
  throw signedOut();
}

/** Hands the browser the token of its session, or takes it away. */
export const withSession = (
  reply: FastifyReply,
  public_url: string,
  token: string | undefined,
): FastifyReply => reply.header('set-cookie', cookieOf(public_url, token));

const isWrite = ({ method }: FastifyRequest): boolean => !['GET', 'HEAD'].includes(method);

/** A page of another site cannot send this header without asking first, which nobody here answers. */
function requireDashboard({ headers }: FastifyRequest): void {
  if (headers['florin-dashboard'] === '1') return;
  throw problem('forbidden', 'Send the header Florin-Dashboard: 1.', {
    header: 'Florin-Dashboard',
  });
}

/** Without a body nothing was said. */
function parseJson(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    done(null, body.length === 0 ? undefined : JSON.parse(String(body)));
  } catch {
    done(problem('malformed_json', 'The body is not JSON.'));
  }
}

const signedOut = () => problem('unauthorized', 'Sign in first.');

export const notFresh = () =>
  problem('sign_in_again', 'Show again who you are: this takes a sign-in of the last ten minutes.');
