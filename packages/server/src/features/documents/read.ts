import type { Buffer } from 'node:buffer';
import type { Locale } from '@florin/contract/locales.ts';
import type { DocumentKind } from '@florin/contract/resources/documents.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { type DocumentFacts, type IssuedDocument, LOGO_COLUMN } from './facts.ts';
import { issueDocuments } from './issue.ts';
import { findLogo } from './logo/sql.ts';
import { findDocuments } from './sql.ts';

/**
 * The document of a payment or refund, issued now if it has none. Undefined if the payment or refund is unknown or has
 * not succeeded.
 */
export async function findOrIssueDocument(
  services: Pick<Services, 'db' | 'catalog' | 'timelines'>,
  about: 'payments' | 'refunds',
  scope: Scope,
  id: string,
): Promise<Row | undefined> {
  const { db } = services;
  const table = about === 'payments' ? 'payment_demands' : 'refund_demands';
  const subject = isUuid(id) ? await findRow(db, table, scope, id) : undefined;
  if (!subject?.succeeded_at) return undefined;
  const keys = [{ merchant_id: scope.merchant_id, id }];
  const find = async (): Promise<Row | undefined> => (await findDocuments(db, about, keys))[0];
  const existing = await find();
  if (existing) return existing;
  await db.transaction((tx) =>
    issueDocuments(services, tx, { payments: [], refunds: [], [about]: keys }),
  );
  return find();
}

/** Renders a document as PDF, with the logo that it was issued with. */
export async function renderDocument(
  { documents, db }: Pick<Services, 'documents' | 'db'>,
  row: Row,
): Promise<Buffer> {
  const merchant_id = row.merchant_id as string;
  const document = issuedDocumentOf(row);
  const logo_id = document.facts.merchant[LOGO_COLUMN];
  const logo = logo_id ? await findLogo(db, merchant_id, logo_id) : undefined;
  return documents.run({ ...document, ...(logo && { logo: logo.content }) }, merchant_id);
}

const issuedDocumentOf = (row: Row): IssuedDocument => ({
  kind: row.kind as DocumentKind,
  mode: scopeOf(row).mode,
  number: row.number as string,
  locale: row.locale as Locale,
  amount_cents: row.amount_cents as string,
  amount_currency: row.amount_currency as string,
  issued_at: row.issued_at as string,
  facts: JSON.parse(row.facts as string) as DocumentFacts,
});

/** File name of a document: number and kind are letters, digits and dashes. */
export const fileNameOf = ({ number }: Row): string => `${number}.pdf`;
