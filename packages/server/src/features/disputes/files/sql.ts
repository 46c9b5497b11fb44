import type { SealedContent } from '../../../platform/crypto/content-sealer.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import { keyColumns } from '../../../platform/database/row-key.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** Stores the content of a file. */
export async function insertContent(
  tx: Db,
  { merchant_id, mode }: Scope,
  id: string,
  { content_key, content }: SealedContent,
): Promise<void> {
  await tx.query(
    `insert into dispute_file_contents (merchant_id, mode, id, content_key, content)
     values ($1, $2, $3, $4, $5)`,
    [merchant_id, mode, id, content_key, content],
    'insert_file_content',
  );
}

/** Finds the content of a file. Undefined if it was deleted, or the scope has no such file. */
export async function findContent(
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<SealedContent | undefined> {
  const [row] = await db.query(
    `select content_key, encode(content, 'base64') as content from dispute_file_contents
     where merchant_id = $1 and mode = $2 and id = $3`,
    [merchant_id, mode, id],
    'find_file_content',
  );
  return (
    row && {
      content_key: row.content_key as string,
      content: Buffer.from(row.content as string, 'base64'),
    }
  );
}

export async function deleteContents(tx: Db, keys: readonly RowKey[]): Promise<void> {
  await tx.query(
    `delete from dispute_file_contents
     where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    keyColumns(keys),
    'delete_file_contents',
  );
}

/** Bytes of a merchant's stored files in one mode. */
export async function sumStoredBytes(db: Db, { merchant_id, mode }: Scope): Promise<number> {
  const [row] = await db.query(
    `select coalesce(sum(size_bytes), 0) as bytes from dispute_files
     where merchant_id = $1 and mode = $2 and removed_at is null`,
    [merchant_id, mode],
    'sum_file_bytes',
  );
  return Number(row?.bytes);
}

/** Files of a dispute whose content is stored, oldest first. */
export const findFilesOf = (db: Db, { merchant_id, id }: Row): Promise<Row[]> =>
  db.query(
    `select * from dispute_files
     where merchant_id = $1 and dispute_id = $2 and removed_at is null order by id`,
    [merchant_id, id],
    'files_of_dispute',
  );

/** Deletes the contents of disputes that closed by a time, and marks their files. Returns the number of files. */
export async function pruneContents(
  db: Db,
  closed_until: string,
  now: string,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `with old as (select f.merchant_id, f.id from dispute_files f
       join disputes d on d.merchant_id = f.merchant_id and d.id = f.dispute_id
       where f.removed_at is null and f.created_at <= $1 and d.closed_at <= $1
         and ${notStopped('f.merchant_id')} order by f.created_at limit $3),
     gone as (delete from dispute_file_contents c using old
       where c.merchant_id = old.merchant_id and c.id = old.id)
     update dispute_files f set removed_at = $2, updated_at = $2 from old
     where f.merchant_id = old.merchant_id and f.id = old.id returning 1`,
    [closed_until, now, limit],
    'prune_file_contents',
  );
  return rows.length;
}
