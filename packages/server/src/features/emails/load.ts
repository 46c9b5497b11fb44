import type { Locale } from '@florin/contract/locales.ts';
import type { EmailKind } from '@florin/contract/resources/emails.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { type Brand, brandOf } from '../../platform/emails/brand.ts';
import type { Envelope, MailAttachment } from '../../platform/emails/mailer.ts';
import type { Draft } from '../../platform/emails/parts.ts';
import type { Services } from '../../services.ts';
import { draftEmail } from './draft.ts';
import type { EmailInput } from './email-input.ts';
import type { Facts } from './facts.ts';
import { findLogoFiles } from './logo-files.ts';

/**
 * Renders claimed emails. An email that cannot be rendered is logged and has no draft; the others
 * continue. Emails that are sent carry the uploaded logos of their merchants.
 */
export async function renderEmails(
  { db, logger }: Pick<Services, 'logger'> & { readonly db: Db },
  emails: readonly Row[],
  { sends }: { readonly sends: boolean },
): Promise<ComposedEmail[]> {
  const merchants = await findRowsByText(db, 'merchants', emails.map(merchantKey));
  const logos = sends ? await findLogoFiles(db, [...merchants.values()]) : NO_LOGOS;
  const cards = await findRowsByText(db, 'payment_methods', emails.flatMap(cardKey));
  return emails.map((email) => {
    const logo = logos.get(email.merchant_id as string);
    const brand = {
      ...brandOf(merchants.get(keyText(merchantKey(email))) ?? {}),
      ...(logo?.cid && { logo_cid: logo.cid }),
    };
    const [key] = cardKey(email);
    try {
      const draft = draftEmail(emailInputOf(email, brand, key && cards.get(keyText(key))));
      return { email, draft, from_name: brand.name, reply_to: brand.support_email, logo };
    } catch (error) {
      const err = { message: (error as Error).message };
      logger.error({ email: email.id, merchant: email.merchant_id, err }, 'email not rendered');
      return { email, draft: undefined };
    }
  });
}

const NO_LOGOS: ReadonlyMap<string, MailAttachment> = new Map();

/** Draft of an email that nothing sends, by its facts alone. Undefined for other emails. */
export function draftByFacts(email: Row): Draft | undefined {
  const { merchant, card } = factsOf(email);
  return merchant && draftEmail(emailInputOf(email, brandOf(merchant), card));
}

/** A claimed email with its draft. No draft if rendering failed. */
export type ComposedEmail = Envelope | { readonly email: Row; readonly draft: undefined };

export const isEnvelope = (email: ComposedEmail): email is Envelope => email.draft !== undefined;

const emailInputOf = (email: Row, brand: Brand, card: Row | undefined): EmailInput => ({
  kind: email.kind as EmailKind,
  mode: email.mode as 'live' | 'sandbox',
  locale: email.locale as Locale,
  facts: factsOf(email),
  brand,
  ...(card && { card: { kind: card.kind as string, last_four: card.last_four as string } }),
});

const factsOf = ({ facts }: Row): Facts => JSON.parse(facts as string) as Facts;

const merchantKey = ({ merchant_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: merchant_id as string,
});

const cardKey = ({ merchant_id, payment_method_id: id }: Row): RowKey[] =>
  id ? [{ merchant_id: merchant_id as string, id }] : [];

async function findRowsByText(
  db: Db,
  table: string,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, Row>> {
  if (keys.length === 0) return new Map();
  const uniqueKeys = new Map(keys.map((key) => [keyText(key), key]));
  const rows = await findRowsByKey(db, table, [...uniqueKeys.values()]);
  return new Map(rows.map((row) => [keyText(row), row]));
}
