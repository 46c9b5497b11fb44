import type { FastifyInstance, FastifyReply } from 'fastify';
import { FILE_HEADERS } from '../../http/file-headers.ts';
import type { Authenticate } from '../../jsonapi/answer.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { idOf } from '../../jsonapi/request.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { fileNameOf, findOrIssueDocument, renderDocument } from './read.ts';

/** Throws `forbidden` (403) unless the caller may read documents, and the types whose fields a PDF shows. */
function requireContentPermissions({ models }: Services, ctx: RequestContext): void {
  const model = models.get('documents');
  for (const type of [model.type, ...(model.resource.rendered_from ?? [])])
    requirePermission(ctx, models.get(type), 'read');
}

/** Registers `GET /v2/documents/{id}/content`: the document as PDF. */
export function registerDocumentContents(
  fastify: FastifyInstance,
  services: Services,
  authenticate: Authenticate,
): void {
  fastify.get('/v2/documents/:id/content', async (request, reply) => {
    const ctx = await authenticate(request);
    requireContentPermissions(services, ctx);
    const id = idOf(request);
    const document = isUuid(id)
      ? await findRow(services.reads, 'documents', ctx.scope, id)
      : undefined;
    return sendDocument(services, document, reply);
  });
}

const SUBJECTS = {
  payments: 'payment_demands',
  refunds: 'refund_demands',
} as const;

/**
 * Registers `GET /dashboard/api/documents/payments/{id}` and `…/refunds/{id}`: the document of a payment or refund as
 * PDF, for members. The first download issues the document if there is none.
 */
export function registerDocumentDownloads(fastify: FastifyInstance, services: Services): void {
  for (const about of ['payments', 'refunds'] as const)
    fastify.get(`/dashboard/api/documents/${about}/:id`, async (request, reply) => {
      const ctx = await memberContext(services, request, { type: 'documents' });
      requireContentPermissions(services, ctx);
      requirePermission(ctx, services.models.get(SUBJECTS[about]), 'read');
      const document = await findOrIssueDocument(services, about, ctx.scope, idOf(request));
      return sendDocument(services, document, reply);
    });
}

/** Sends a document as an attachment. Throws 404 without one. */
export async function sendDocument(
  services: Pick<Services, 'documents' | 'db'>,
  document: Row | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!document) throw notFound();
  const pdf = await renderDocument(services, document);
  return reply
    .headers({
      ...FILE_HEADERS,
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileNameOf(document)}"`,
    })
    .send(pdf);
}
