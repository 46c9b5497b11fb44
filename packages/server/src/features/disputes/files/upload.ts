import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import { type WrittenRecord, writeOnce } from '../../../jsonapi/once.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { IdempotencyLookup } from '../../../jsonapi/reading/idempotency-lookup.ts';
import { sealContent } from '../../../platform/crypto/content-sealer.ts';
import { insertRecords } from '../../../platform/database/create.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyText } from '../../../platform/database/row-key.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { lockRows, transition } from '../../../platform/database/transition.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { processorOfRow } from '../../attempts/own-processor.ts';
import { keyTaken } from '../../records/keys.ts';
import { timelineOfRow } from '../../timelines/timeline-of.ts';
import { accountRemoved, findRemovedAccount } from '../removed-account.ts';
import { decideUpload } from './decide.ts';
import type { Upload } from './parse-upload.ts';
import { findFilesOf, insertContent, sumStoredBytes } from './sql.ts';

const TABLE = 'dispute_files';

/** Stores a file of a dispute, once for each idempotency key. Throws 404 for a dispute of another merchant or mode. */
export async function uploadFile(
  services: Services,
  idempotencyLookup: IdempotencyLookup,
  ctx: RequestContext,
  dispute_id: string,
  upload: Upload,
): Promise<WrittenRecord> {
  const dispute = await findRow(services.reads, 'disputes', ctx.scope, dispute_id);
  if (!dispute) throw notFound();
  const timeline = await timelineOfRow(services, ctx.scope, 'disputes', dispute);
  const { file_name, purpose, bytes } = upload;
  const sha256_hash = createHash('sha256').update(bytes).digest('hex');
  const attributes = { file_name, purpose, sha256_hash };
  const input = { attributes, relationships: {} };
  const requests = { model: services.models.get(TABLE), idempotencyLookup, repeat: undefined };
  const request = { operation: 'upload', id: dispute_id, input };
  return writeOnce(requests, ctx, request, (keyedContext) =>
    storeFile(timeline, keyedContext, dispute, { ...upload, sha256_hash }),
  );
}

interface HashedUpload extends Upload {
  readonly sha256_hash: string;
}

/** Stores a file and counts it, with the dispute locked: a submission sees the file or refuses it. */
async function storeFile(
  services: Services,
  { scope, idempotency }: RequestContext,
  dispute: Row,
  upload: HashedUpload,
): Promise<Row> {
  const at = services.clock.now();
  const row = rowOf(dispute, upload, uuidv7(at), instantText(at));
  const sealed = sealContent(services.sealer, upload.bytes, { ...scope, id: row.id as string });
  return services.db.transaction(async (tx) => {
    await countFile(services, tx, dispute, upload);
    const [outcome] = await insertRecords(tx, services.catalog, TABLE, [
      { row, events: [], idempotency },
    ]);
    if (outcome?.outcome !== 'created') throw keyTaken();
    await insertContent(tx, scope, row.id as string, sealed);
    return row;
  });
}

const rowOf = (
  { merchant_id = null, mode = null, id: dispute_id = null }: Row,
  { file_name, purpose, content_type, sha256_hash, bytes }: HashedUpload,
  id: string,
  at: string,
): Row => ({
  merchant_id,
  mode,
  id,
  dispute_id,
  file_name,
  purpose,
  content_type,
  sha256_hash,
  size_bytes: String(bytes.length),
  created_at: at,
  updated_at: at,
});

async function countFile(
  services: Services,
  tx: Db,
  { merchant_id, mode, id }: Row,
  { content_type, purpose, bytes }: Upload,
): Promise<void> {
  const key = { merchant_id: merchant_id as string, id: id as string };
  const before = (await lockRows(tx, 'disputes', [key])).get(keyText(key));
  if (!before) throw notFound();
  const removed = await findRemovedAccount(tx, before);
  if (removed !== undefined) throw accountRemoved(removed);
  const now = services.clock.now();
  const metadata = processorOfRow(services, before)?.metadata;
  const scope = { merchant_id: key.merchant_id, mode: mode as 'live' | 'sandbox' };
  const file = { content_type, purpose, size_bytes: bytes.length };
  const files = await findFilesOf(tx, before);
  const context = {
    storedBytes: await sumStoredBytes(tx, scope),
    purposes: files.map((other) => other.purpose as string),
    rules: metadata?.evidence,
    processor: metadata?.display_name ?? 'The processor',
  };
  const decision = decideUpload(before, file, context, now);
  await transition(tx, services.catalog, { table: 'disputes', at: instantText(now) }, [
    { before, ...decision },
  ]);
}
