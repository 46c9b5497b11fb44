import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from './behaviour.ts';
import { checkAccept, MEDIA_TYPE } from './media-type.ts';
import { renderProblems } from './problems.ts';

/** A successful answer. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Authenticate = (request: FastifyRequest) => Promise<RequestContext> | RequestContext;

export type Handler = (ctx: RequestContext, request: FastifyRequest) => Promise<Answer>;

/** Turns a handler into a route's: who asks, then what they accept, then the work. */
export const answering =
  (authenticate: Authenticate, handler: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ctx = await authenticate(request);
    checkAccept(request.headers.accept);
    const { status, body, headers = {} } = await handler(ctx, request);
    return send(reply, status, headers, body);
  };

/** Answers any error with a JSON:API error document. */
export function sendProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, headers, body } = renderProblems(error);
  return send(reply, status, headers, body);
}

/** Bodies are Buffers: to a string Fastify would add a charset, which the media type forbids. */
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
