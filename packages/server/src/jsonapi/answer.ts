import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from './behaviour.ts';
import { entityTag, matchesTag, parseIfMatch } from './etag.ts';
import { checkAccept, MEDIA_TYPE, mediaTypeWith } from './media-type.ts';
import { renderProblems } from './problems.ts';
import type { RenderedDocument } from './reading/page-cache.ts';

/** Default headers of every response; a route may override them. */
export const SAFE_HEADERS = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
} as const;
/** `cache-control` of a response that contains a secret. */
export const NO_STORE = 'no-store';

export interface Answer extends RenderedDocument {
  readonly status: 200 | 201;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Authenticate = (request: FastifyRequest) => Promise<RequestContext> | RequestContext;

export type Handler = (ctx: RequestContext, request: FastifyRequest) => Promise<Answer>;

/** Makes a route's handler: identifies the caller, then checks `Accept`, then does the work. */
export const withErrors =
  (authenticate: Authenticate, handler: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ctx = await authenticate(request);
    const profiles = checkAccept(request.headers.accept);
    const if_match = parseIfMatch(request.headers['if-match']);
    const identifiedContext = { ...ctx, profiles, ...(if_match && { if_match }) };
    return sendAnswer(request, reply, await handler(identifiedContext, request));
  };

/** Sends the document, or 304 if the client already has it. */
function sendAnswer(
  { method, headers: requestHeaders }: FastifyRequest,
  reply: FastifyReply,
  { status, body, version, profile, secret, etag = entityTag(body, version), headers = {} }: Answer,
): FastifyReply {
  if (secret) reply.header('cache-control', NO_STORE);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && matchesTag(requestHeaders['if-none-match'], etag)) {
    return reply.code(304).headers({ etag, vary: 'Accept' }).send();
  }
  const contentType = profile && { 'content-type': mediaTypeWith(profile) };
  return send(reply, status, { etag, ...contentType, ...headers }, body);
}

/** Answers any error with a JSON:API error document. */
export function sendProblem(reply: FastifyReply, error: unknown, base_url: string): FastifyReply {
  const { status, headers, body } = renderProblems(error, base_url);
  return send(reply, status, headers, body);
}

/** Sends bodies as Buffers: Fastify would add a charset to strings, which the media type forbids. */
const send = (
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': MEDIA_TYPE, vary: 'Accept', ...headers })
    .send(body);
