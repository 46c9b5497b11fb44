import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { brandOf } from '../../platform/emails/brand.ts';
import type { MailAttachment } from '../../platform/emails/mailer.ts';
import { findLogo } from '../documents/logo/sql.ts';

/** Uploaded logos by merchant id, as files of emails. Leaves out merchants whose emails show a `logo_url`. */
export async function findLogoFiles(
  db: Db,
  merchants: readonly Row[],
): Promise<ReadonlyMap<string, MailAttachment>> {
  const logos = new Map<string, MailAttachment>();
  for (const merchant of merchants) {
    const { id, document_logo_id } = merchant;
    if (!document_logo_id || brandOf(merchant).logo_url) continue;
    const logo = await findLogo(db, id as string, document_logo_id as string);
    if (logo) logos.set(id as string, fileOf(document_logo_id as string, logo));
  }
  return logos;
}

const fileOf = (
  logo_id: string,
  { content_type, content }: { readonly content_type: string; readonly content: Buffer },
): MailAttachment => ({
  filename: content_type === 'image/png' ? 'logo.png' : 'logo.jpg',
  contentType: content_type,
  content,
  cid: `${logo_id}@logo`,
});
