import { isPassingError } from '../../platform/concurrency/batcher.ts';
import { OverloadedError } from '../../platform/concurrency/overloaded.ts';
import type { Row } from '../../platform/database/row.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { contentIdOf } from '../../platform/emails/brand.ts';
import type { Envelope, MailAttachment } from '../../platform/emails/mailer.ts';
import type { Services } from '../../services.ts';
import { findLogo } from '../documents/logo/sql.ts';
import { fileNameOf, findOrIssueDocument, renderDocument } from '../documents/read.ts';

/** Largest file that is attached. Mail servers refuse large emails. */
const ATTACHMENT_BYTES_MAX = 2_000_000;

type AttachServices = Pick<Services, 'db' | 'catalog' | 'timelines' | 'documents' | 'logger'>;

/**
 * The files of an email: its payment's receipt or invoice, and the uploaded logo. An email whose file cannot be made is
 * sent without it, and the reason is logged. Throws temporary errors: the email is then due again.
 */
export async function attachmentsOf(
  services: AttachServices,
  { email, logo_id }: Pick<Envelope, 'email' | 'logo_id'>,
): Promise<readonly MailAttachment[]> {
  const files = [
    await fileOrNone(services, email, () => documentOf(services, email)),
    await fileOrNone(services, email, () => logoOf(services, email, logo_id)),
  ];
  return files.filter((file) => file !== undefined);
}

async function fileOrNone(
  { logger }: AttachServices,
  { id, merchant_id }: Row,
  makeFile: () => Promise<MailAttachment | undefined>,
): Promise<MailAttachment | undefined> {
  try {
    return await makeFile();
  } catch (error) {
    if (isPassingError(error) || error instanceof OverloadedError) throw error;
    const err = { message: (error as Error).message };
    logger.error({ email: id, merchant: merchant_id, err }, 'email sent without a file');
    return undefined;
  }
}

/** The receipt or invoice of a payment, as PDF. Issues the document if there is none. */
async function documentOf(
  services: AttachServices,
  email: Row,
): Promise<MailAttachment | undefined> {
  if (email.kind !== 'receipt' || !email.payment_demand_id) return undefined;
  const scope = scopeOf(email);
  const document = await findOrIssueDocument(services, 'payments', scope, email.payment_demand_id);
  if (!document) return undefined;
  const content = await renderDocument(services, document);
  if (content.length > ATTACHMENT_BYTES_MAX) throw new Error('the document is too large');
  return { filename: fileNameOf(document), contentType: 'application/pdf', content };
}

async function logoOf(
  { db }: AttachServices,
  { merchant_id }: Row,
  logo_id: string | undefined,
): Promise<MailAttachment | undefined> {
  const logo = logo_id && (await findLogo(db, merchant_id as string, logo_id));
  if (!logo) return undefined;
  const { content_type: contentType, content } = logo;
  const filename = contentType === 'image/png' ? 'logo.png' : 'logo.jpg';
  return { filename, contentType, content, cid: contentIdOf(logo_id) };
}
