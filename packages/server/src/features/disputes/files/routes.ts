import { problem } from '@florin/contract/errors.ts';
import { DISPUTE_FILE_BYTES_MAX } from '@florin/contract/resources/dispute-files.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FILE_HEADERS } from '../../../http/file-headers.ts';
import { UploadedFile } from '../../../http/uploaded-file.ts';
import type { Answer, Authenticate } from '../../../jsonapi/answer.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import { createIdempotencyLookup } from '../../../jsonapi/reading/idempotency-lookup.ts';
import type { Reader } from '../../../jsonapi/reading/read.ts';
import { idOf, queryOf } from '../../../jsonapi/request.ts';
import { registerAddress } from '../../../jsonapi/routes.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import { OverloadedError } from '../../../platform/concurrency/overloaded.ts';
import { openContent } from '../../../platform/crypto/content-sealer.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { attachmentOf } from './file-name.ts';
import { parseUpload } from './parse-upload.ts';
import { findContent } from './sql.ts';
import { uploadFile } from './upload.ts';

/** Uploads and downloads that a server has in memory at once. Further ones are answered with 503. */
const FILES_IN_MEMORY_MAX = 16;
/** Uploads and downloads of one merchant among them, so that others have places too. */
const FILES_OF_MERCHANT_MAX = 4;

interface FileRoutes {
  readonly reader: Reader;
  readonly authenticate: Authenticate;
}

/** Registers upload and download of files. Their bodies are no JSON:API documents. */
export function registerDisputeFiles(
  fastify: FastifyInstance,
  services: Services,
  { reader, authenticate }: FileRoutes,
): void {
  const idempotencyLookup = createIdempotencyLookup(services);
  const model = services.models.get('dispute_files');
  const upload = async (ctx: RequestContext, request: FastifyRequest): Promise<Answer> => {
    requirePermission(ctx, model, 'create');
    const dispute_id = idOf(request);
    if (!isUuid(dispute_id)) throw notFound();
    const file = parseUpload(queryOf(request), request.body);
    const { id, row } = await uploadFile(services, idempotencyLookup, ctx, dispute_id, file);
    const document = await (row
      ? reader.renderRecord(ctx, model, row, reader.parseWriteQuery(ctx, model, ''))
      : reader.fetchRecord(ctx, model, id, ''));
    const location = `${ctx.base_url}/v2/${model.type}/${id}`;
    const replayed = row ? undefined : { 'idempotent-replayed': 'true' };
    return { status: 201, ...document, headers: { location, ...replayed } };
  };
  fastify.register(async (scoped) => {
    readBodiesAsFiles(scoped, authenticate);
    registerAddress(scoped, authenticate, {
      url: '/v2/disputes/:id/files',
      handlers: { POST: upload },
    });
    scoped.get('/v2/dispute_files/:id/content', async (request, reply) =>
      sendContent(services, await authenticate(request), request, reply),
    );
  });
}

/** Limits how many files are in memory, before a body is read. Only callers take a place. */
function readBodiesAsFiles(scoped: FastifyInstance, authenticate: Authenticate): void {
  const files = createLimiter({ total: { max: FILES_IN_MEMORY_MAX } });
  scoped.addHook('onRequest', async (request, { raw }) => {
    const { headers } = request;
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (request.method === 'OPTIONS' && !hasBody) return;
    const { merchant_id } = (await authenticate(request)).scope;
    if (Number(headers['content-length'] ?? 0) > DISPUTE_FILE_BYTES_MAX) throw tooLarge();
    const ofMerchant = files.used.get(merchant_id) ?? 0;
    if (ofMerchant >= FILES_OF_MERCHANT_MAX)
      throw new OverloadedError({ limit: 'files_per_owner', max: FILES_OF_MERCHANT_MAX });
    if (files.free() <= 0) throw new OverloadedError({ limit: 'files', max: FILES_IN_MEMORY_MAX });
    files.take(merchant_id);
    raw.once('close', () => files.release(merchant_id));
  });
  scoped.removeAllContentTypeParsers();
  scoped.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: DISPUTE_FILE_BYTES_MAX },
    (_request, body, done) => done(null, new UploadedFile(body as Buffer)),
  );
  scoped.setErrorHandler((error) => {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === TOO_LARGE_CODE;
    throw isTooLarge ? tooLarge() : error;
  });
}

const TOO_LARGE_CODE = 'FST_ERR_CTP_BODY_TOO_LARGE';

const tooLarge = (): Error =>
  problem(
    'body_too_large',
    `The file must have at most ${DISPUTE_FILE_BYTES_MAX} bytes.`,
    undefined,
    { meta: { limit: DISPUTE_FILE_BYTES_MAX } },
  );

async function sendContent(
  { reads, models, sealer }: Services,
  ctx: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requirePermission(ctx, models.get('dispute_files'), 'read');
  const id = idOf(request);
  const file = isUuid(id) ? await findRow(reads, 'dispute_files', ctx.scope, id) : undefined;
  const sealed = file && (await findContent(reads, ctx.scope, id));
  if (!sealed) throw notFound();
  const bytes = openContent(sealer, sealed, { ...ctx.scope, id });
  if (!bytes) throw new Error('no key of this server opens the content of a dispute file');
  return reply
    .headers({
      ...FILE_HEADERS,
      'content-type': file.content_type as string,
      'content-disposition': attachmentOf(file.file_name as string),
    })
    .send(bytes);
}
