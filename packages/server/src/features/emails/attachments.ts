import { isPassingError } from '../../platform/concurrency/batcher.ts';
import { OverloadedError } from '../../platform/concurrency/overloaded.ts';
import type { Row } from '../../platform/database/row.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import type { MailAttachment } from '../../platform/emails/mailer.ts';
import type { Services } from '../../services.ts';
import { fileNameOf, findOrIssueDocument, renderDocument } from '../documents/read.ts';

/** Largest file that is attached. Mail servers refuse large emails. */
const ATTACHMENT_BYTES_MAX = 2_000_000;

type AttachServices = Pick<Services, 'db' | 'catalog' | 'timelines' | 'documents' | 'logger'>;

/**
 * The receipt or invoice of an email's payment, as PDF. Issues the document if there is none. An email whose document
 * cannot be made is sent without it, and the reason is logged. Throws temporary errors: the email is then due again.
 */
export async function attachmentsOf(
  services: AttachServices,
  email: Row,
): Promise<readonly MailAttachment[]> {
  if (email.kind !== 'receipt' || !email.payment_demand_id) return [];
  try {
    const scope = scopeOf(email);
    const document = await findOrIssueDocument(
      services,
      'payments',
      scope,
      email.payment_demand_id,
    );
    if (!document) return [];
    const content = await renderDocument(services, document);
    if (content.length > ATTACHMENT_BYTES_MAX) throw new Error('the document is too large');
    return [{ filename: fileNameOf(document), contentType: 'application/pdf', content }];
  } catch (error) {
    if (isPassingError(error) || error instanceof OverloadedError) throw error;
    const err = { message: (error as Error).message };
    services.logger.error(
      { email: email.id, merchant: email.merchant_id, err },
      'email sent without its document',
    );
    return [];
  }
}
