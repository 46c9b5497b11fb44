import { type DocumentLogo, LOGO_BYTES_MAX } from '@florin/contract/document-logo.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type MemberParser, readBody } from '../../../http/body.ts';
import { FILE_HEADERS } from '../../../http/file-headers.ts';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { findLogo, findLogoId, setLogo } from './sql.ts';
import { uploadLogo } from './upload.ts';

const URL = '/dashboard/api/logo';

/**
 * `GET`, `PUT` and `DELETE /dashboard/api/logo`: the logo of a merchant's new documents, in both modes.
 * `GET /dashboard/api/logo/content` is the picture.
 */
export function registerLogo(fastify: FastifyInstance, services: Services): void {
  const merchantOf = async (
    request: FastifyRequest,
    access: 'read' | 'update',
  ): Promise<string> => {
    const shared = access === 'update' && ({ of_both_modes: true } as const);
    const ctx = await memberContext(services, request, { type: 'merchants', ...shared });
    requirePermission(ctx, services.models.get('merchants'), access);
    return ctx.scope.merchant_id;
  };
  fastify.get(
    URL,
    async (request): Promise<DocumentLogo> => ({
      id: await findLogoId(services.reads, await merchantOf(request, 'read')),
    }),
  );
  fastify.get(`${URL}/content`, async (request, reply) => {
    const logo = await findLogo(services.reads, await merchantOf(request, 'read'));
    if (!logo) throw notFound();
    return reply.headers({ ...FILE_HEADERS, 'content-type': logo.content_type }).send(logo.content);
  });
  fastify.put(URL, async (request): Promise<DocumentLogo> => {
    const merchant_id = await merchantOf(request, 'update');
    const { content } = readBody(request.body, { content: base64 });
    return { id: await uploadLogo(services, merchant_id, content) };
  });
  fastify.delete(URL, async (request, reply) => {
    await setLogo(services.db, await merchantOf(request, 'update'), null);
    return reply.status(204).send();
  });
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const BASE64_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;

/** Bytes as base64. */
const base64: MemberParser<Buffer> = (value) => {
  if (typeof value !== 'string' || !BASE64.test(value))
    return { code: 'invalid', predicate: 'must be the bytes of the logo, as base64' };
  if (value.length > BASE64_MAX)
    return { code: 'too_long', predicate: `must have at most ${LOGO_BYTES_MAX} bytes` };
  return { value: Buffer.from(value, 'base64') };
};
