import type { Locale } from '@florin/contract/locales.ts';
import { amountText } from '@florin/contract/money.ts';
import { LOCALE_PARAMETER } from '@florin/contract/protocol/frame.ts';
import type { FastifyRequest } from 'fastify';
import { type FormLocales, pickLocale } from '../../../http/pages/form-locale.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { languageOf, supportedLocale } from '../../checkout/pages/language.ts';
import { LINK_PAGE_PATH } from '../behaviour.ts';
import type { LinkView } from '../pages/pages.ts';
import { findSeller } from '../sql.ts';

/** Payer's language, chosen as in the card form. */
export function localeOf(formLocales: FormLocales, { query, headers }: FastifyRequest): Locale {
  const requestedTag = (query as Readonly<Record<string, unknown>>)[LOCALE_PARAMETER];
  const acceptedLanguages = headers['accept-language'] ?? '';
  return supportedLocale(
    pickLocale(
      formLocales,
      typeof requestedTag === 'string' ? requestedTag : '',
      acceptedLanguages,
    ),
  );
}

export const linkPathOf = ({ code }: Row): string => `${LINK_PAGE_PATH}${code}`;

/** Data of a link's page. A begun payment shows the amount with which it began. */
export async function viewOf(
  { db }: Services,
  link: Row,
  locale: Locale,
  { amount_cents, amount_currency }: Row = link,
): Promise<LinkView> {
  const seller = await findSeller(db, link.merchant_id as string);
  return {
    language: languageOf(locale),
    path: linkPathOf(link),
    merchant: seller?.brand_name ?? seller?.business_name ?? '',
    color: seller?.brand_color ?? undefined,
    logo_path: seller?.document_logo_id ? `${linkPathOf(link)}/logo` : undefined,
    sandbox: link.mode === 'sandbox',
    title: link.title as string,
    description: link.description ?? null,
    amount: amountText(amount_cents as string, amount_currency as string, locale),
    billing_period: link.billing_period ?? null,
  };
}

/** Merchant's address that payers return to, with the payment's id. */
export function successUrl({ success_url }: Row, type: string, id: string): string | null {
  if (!success_url) return null;
  const url = new URL(success_url);
  url.searchParams.set(type.replace(/s$/, ''), id);
  return url.href;
}
