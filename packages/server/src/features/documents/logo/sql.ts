import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** A logo to be stored. */
export interface NewLogo {
  readonly merchant_id: string;
  readonly id: string;
  readonly content_type: string;
  readonly sha256_hash: string;
  readonly content: Buffer;
  readonly at: string;
}

/** Finds a stored logo of the merchant with these bytes, and counts all. */
export async function findSameLogo(
  tx: Db,
  { merchant_id, sha256_hash }: Pick<NewLogo, 'merchant_id' | 'sha256_hash'>,
): Promise<{ readonly id: string | undefined; readonly count: number }> {
  const [row] = await tx.query(
    `select count(*) as count, max(id::text) filter (where sha256_hash = $2) as id
     from document_logos where merchant_id = $1`,
    [merchant_id, sha256_hash],
    'find_same_logo',
  );
  return { id: row?.id ?? undefined, count: Number(row?.count) };
}

export const insertLogo = (tx: Db, logo: NewLogo): Promise<Row[]> =>
  tx.query(
    `insert into document_logos (merchant_id, id, content_type, sha256_hash, content, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [logo.merchant_id, logo.id, logo.content_type, logo.sha256_hash, logo.content, logo.at],
    'insert_document_logo',
  );

/** Sets the logo of new documents. Without an id they have none. */
export const setLogo = (db: Db, merchant_id: string, id: string | null): Promise<Row[]> =>
  db.query(
    'update merchants set document_logo_id = $2 where id = $1',
    [merchant_id, id],
    'set_document_logo',
  );

export interface StoredLogo {
  readonly content_type: string;
  readonly content: Buffer;
}

/** Reads a logo: the one with this id, or the merchant's own one of new documents. */
export async function findLogo(
  db: Db,
  merchant_id: string,
  id?: string,
): Promise<StoredLogo | undefined> {
  const [row] = await db.query(
    `select content_type, encode(content, 'base64') as content from document_logos
     where merchant_id = $1 and id = coalesce($2, (select document_logo_id from merchants where id = $1))`,
    [merchant_id, id ?? null],
    'find_document_logo',
  );
  return (
    row && {
      content_type: row.content_type as string,
      content: Buffer.from(row.content as string, 'base64'),
    }
  );
}

/** Id of the logo of new documents. Null without one. */
export async function findLogoId(db: Db, merchant_id: string): Promise<string | null> {
  const [row] = await db.query(
    'select document_logo_id from merchants where id = $1',
    [merchant_id],
    'find_document_logo_id',
  );
  return row?.document_logo_id ?? null;
}
