import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sdkPin } from '../features/checkout/assets.ts';
import { withoutPictures } from '../features/emails/without-pictures.ts';
import { personOf } from '../features/people/dashboard/api.ts';
import { memberContext } from '../features/people/dashboard/member-context.ts';
import type { RequestContext } from '../jsonapi/behaviour.ts';
import { requirePermission } from '../jsonapi/permissions.ts';
import type { Reader } from '../jsonapi/reading/read.ts';
import { idOf } from '../jsonapi/request.ts';
import type { Services } from '../services.ts';

/** Registers the pay origin's endpoints for the developer pages, and rendered emails. */
export function registerDeveloperTools(
  fastify: FastifyInstance,
  services: Services,
  reader: Reader,
): void {
  const { url, integrity } = sdkPin();
  const sdk = { url: services.config.pay_url + url, integrity };
  fastify.get('/dashboard/api/sdk', async (request) => {
    personOf(request);
    return sdk;
  });
  fastify.get('/dashboard/api/emails/:id/page', async (request, reply) => {
    const html = await emailHtml(
      services,
      reader,
      await memberContext(services, request, { type: 'emails' }),
      request,
    );
    return reply.headers(EMAIL_HEADERS).type('text/html; charset=utf-8').send(html);
  });
}

/**
 * Headers of a rendered email, which contains its own styles. The frame runs and loads nothing, and only the
 * dashboard may embed it.
 */
const EMAIL_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

async function emailHtml(
  { models }: Services,
  reader: Reader,
  ctx: RequestContext,
  request: FastifyRequest,
): Promise<string> {
  const model = models.get('emails');
  requirePermission(ctx, model, 'read');
  const { body } = await reader.fetchRecord(ctx, model, idOf(request), 'fields[emails]=html');
  const { data } = JSON.parse(body.toString()) as { data: { attributes: { html: string | null } } };
  return withoutPictures(data.attributes.html ?? '');
}
