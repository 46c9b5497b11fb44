import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Page } from './pages/page.ts';

/** Sends a complete HTML page. */
export const sendPage = (reply: FastifyReply, { status, headers, html }: Page): FastifyReply =>
  reply.status(status).headers(headers).send(html);

/** Makes a plugin's routes accept HTML forms, parsed to an object of strings. */
export function parseForms(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
