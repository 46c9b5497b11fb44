import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Services } from '../../../services.ts';
import { sendLogo } from '../../documents/logo/send.ts';
import { LINK_PAGE_PATH } from '../behaviour.ts';
import { linkOf } from '../checkout.ts';
import type { LinkRoute } from './answers.ts';

/** `GET /l/<code>/logo`: the logo of the merchant's documents, which the upload has checked. */
export function registerLinkLogo(fastify: FastifyInstance, services: Services): void {
  fastify.get<LinkRoute>(`${LINK_PAGE_PATH}:code/logo`, async ({ params }, reply) => {
    const link = await linkOf(services, params.code);
    if (!link) throw notFound();
    return sendLogo(services.reads, link.merchant_id as string, reply);
  });
}
