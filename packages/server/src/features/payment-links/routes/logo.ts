import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Services } from '../../../services.ts';
import { findLogo } from '../../documents/logo/sql.ts';
import { LINK_PAGE_PATH } from '../behaviour.ts';
import { linkOf } from '../checkout.ts';
import type { LinkRoute } from './answers.ts';

const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=300',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** `GET /l/<code>/logo`: the logo of the merchant's documents, which the upload has checked. */
export function registerLinkLogo(fastify: FastifyInstance, services: Services): void {
  fastify.get<LinkRoute>(`${LINK_PAGE_PATH}:code/logo`, async ({ params }, reply) => {
    const link = await linkOf(services, params.code);
    const logo = link && (await findLogo(services.reads, link.merchant_id as string));
    if (!logo) throw notFound();
    return reply.headers({ ...HEADERS, 'content-type': logo.content_type }).send(logo.content);
  });
}
