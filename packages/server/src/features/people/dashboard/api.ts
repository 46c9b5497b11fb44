import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseRawCardInBody, refuseRawCardInHead } from '../../../http/raw-card.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import { createQuota, type Quota } from '../../../platform/rates/quota.ts';
import { requireQuota } from '../../../platform/rates/require-quota.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { SignedInPerson } from '../sql/sessions.ts';
import { isUse } from './background.ts';
import { requireOwnPage } from './own-page.ts';
import { cookieOf, sessionTokenOf } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person, if any. */
    person: SignedInPerson | undefined;
  }
  interface FastifyContextConfig {
    /** Route option: allowed without a sign-in. */
    open?: true;
    /** Route option: allowed only after a recent sign-in. */
    fresh?: true;
    /** Route option: long numbers in the body are no card numbers. */
    numbers?: true;
  }
}

export interface DashboardApiOptions {
  readonly sessions: Sessions;
  readonly public_url: string;
  readonly monotonic_ms: () => number;
}

/** Requests per minute: of a signed-in person, or of a network without a sign-in. */
const PER_MINUTE = { person: 600, anonymous: 600 } as const;
const MINUTE_SECONDS = 60;

/**
 * Rules of all routes below `/dashboard/api`: session, same-site check, rate limit. Bodies are
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
    request.person = await admitCaller(sessions, quotas, request, token);
    if (request.person) request.sender = { account_id: request.person.account.id };
    const { open, fresh } = request.routeOptions.config;
    if (!open && !request.person) throw signedOut();
    if (fresh && !sessions.isFresh(personOf(request).session)) throw notFresh();
  });
  fastify.addHook('preValidation', async ({ body, routeOptions }) => {
    if (!routeOptions.config.numbers) refuseRawCardInBody(body);
  });
}

const quotasOf = ({
  monotonic_ms,
}: DashboardApiOptions): Record<'person' | 'anonymous', Quota> => ({
  person: createQuota({ requests: PER_MINUTE.person, seconds: MINUTE_SECONDS, monotonic_ms }),
  anonymous: createQuota({ requests: PER_MINUTE.anonymous, seconds: MINUTE_SECONDS, monotonic_ms }),
});

/**
 * Finds the signed-in person and applies the rate limit. Counts an unknown token as a guess before
 * the query, and removes the count if the token is valid.
 */
async function admitCaller(
  sessions: Sessions,
  quotas: Record<'person' | 'anonymous', Quota>,
  request: FastifyRequest,
  token: string | undefined,
): Promise<SignedInPerson | undefined> {
  const network = networkOf(request.ip);
  const isNew = token === undefined || !sessions.isKnownToken(token);
  if (isNew) requireQuota(quotas.anonymous, network, tooOften);
  const person = token === undefined ? undefined : await sessions.findPerson(token, isUse(request));
  if (person) requireQuota(quotas.person, person.account.id, tooOften);
  if (person && isNew) quotas.anonymous.release(network);
  if (!person && !isNew) requireQuota(quotas.anonymous, network, tooOften);
  return person;
}

const tooOften = (wait_seconds: number): string =>
  `Too many requests. Try again in ${wait_seconds} s.`;

/** Signed-in person of a request. Throws 401 without a sign-in. */
export function personOf({ person }: FastifyRequest): SignedInPerson {
  if (person) return person;
  throw signedOut();
}

/** Sets or removes the session's cookie. */
export const withSession = (
  reply: FastifyReply,
  public_url: string,
  token: string | undefined,
): FastifyReply => reply.header('set-cookie', cookieOf(public_url, token));

const isWrite = ({ method }: FastifyRequest): boolean => !['GET', 'HEAD'].includes(method);

/**
 * Requires a header that pages of other sites cannot send, because the server answers no CORS
 * preflight here.
 */
function requireDashboard({ headers }: FastifyRequest): void {
  if (headers['florin-dashboard'] === '1') return;
  throw problem('forbidden', 'Send the header Florin-Dashboard: 1.', {
    header: 'Florin-Dashboard',
  });
}

/** An empty body counts as no attributes. */
function parseJson(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    done(null, body.length === 0 ? undefined : JSON.parse(String(body)));
  } catch {
    done(
      problem(
        'malformed_json',
        'The body is not valid JSON. Check its quotes, commas and brackets.',
      ),
    );
  }
}

const signedOut = () => problem('unauthorized', 'You are not signed in. Sign in first.');

export const notFresh = () =>
  problem('sign_in_again', 'This action needs a sign-in of the last ten minutes. Sign in again.');

export const factorNeeded = () =>
  problem(
    'forbidden',
    'Operators of this installation need a second factor. Set up an authenticator or a passkey under Account.',
  );
