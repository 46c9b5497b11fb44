import { createHash } from 'node:crypto';
import { problem } from '@florin/contract/errors.ts';
import { OverloadedError } from '../../../platform/concurrency/overloaded.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { lockMerchant } from '../../merchants/sql/merchants.ts';
import type { IssuedDocument } from '../facts.ts';
import { checkLogo } from './check-logo.ts';
import { findSameLogo, insertLogo, setLogo } from './sql.ts';

/** Logos that a merchant has had. Issued documents keep theirs, so that none is deleted. */
const LOGOS_MAX = 100;

type UploadServices = Pick<Services, 'db' | 'clock' | 'documents'>;

/** Stores a logo for new documents of the merchant. The same bytes are stored once. Throws 422 for another file. */
export async function uploadLogo(
  services: UploadServices,
  merchant_id: string,
  content: Buffer,
): Promise<string> {
  const check = await checkLogo(content);
  if ('fault' in check) throw refused(check.fault);
  await requireDrawable(services, merchant_id, content);
  const sha256_hash = createHash('sha256').update(content).digest('hex');
  const now = services.clock.now();
  const logo = { merchant_id, content_type: check.content_type, sha256_hash, content };
  return services.db.transaction(async (tx) => {
    // Two uploads count the merchant's logos one after the other.
    await lockMerchant(tx, merchant_id);
    const same = await findSameLogo(tx, logo);
    if (!same.id && same.count >= LOGOS_MAX) throw tooMany();
    const id = same.id ?? uuidv7(now);
    if (!same.id) await insertLogo(tx, { ...logo, id, at: instantText(now) });
    await setLogo(tx, merchant_id, id);
    return id;
  });
}

/** A document with nothing but a logo. */
const SAMPLE: IssuedDocument = {
  kind: 'receipt',
  mode: 'sandbox',
  number: '-',
  locale: 'en',
  amount_cents: '0',
  amount_currency: 'USD',
  issued_at: '2026-01-01 00:00:00+00',
  facts: { merchant: {}, paid_at: '2026-01-01 00:00:00+00' },
};

/** Draws a document with the logo, in the thread and with the limits of all documents. */
async function requireDrawable(
  { documents }: UploadServices,
  merchant_id: string,
  logo: Buffer,
): Promise<void> {
  try {
    await documents.run({ ...SAMPLE, logo }, merchant_id);
  } catch (error) {
    if (error instanceof OverloadedError) throw error;
    throw refused('The logo cannot be drawn in a PDF. Save it as PNG with 8 bits a colour.');
  }
}

const refused = (detail: string): Error => problem('invalid', detail, { pointer: '/content' });

const tooMany = (): Error =>
  problem(
    'limit_reached',
    `The merchant has had ${LOGOS_MAX} logos, the maximum. Choose one of them again.`,
    undefined,
    { meta: { limit: LOGOS_MAX } },
  );
