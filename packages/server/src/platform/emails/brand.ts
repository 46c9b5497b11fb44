import type { Row } from '../database/row.ts';
import { toWebAddress } from './web-address.ts';

/** A merchant's name, colour and logo in emails. */
export interface Brand {
  readonly name: string;
  /** Colour in the form `#rrggbb`. */
  readonly color: string;
  readonly logo_url?: string;
  /** Content id of a logo that the email carries as a file (RFC 2392). `logo_url` precedes it. */
  readonly logo_cid?: string;
  readonly support_email?: string;
  readonly website?: string;
  /** Time zone of dates for payments without their own. */
  readonly timezone: string;
}

/** Columns of a merchant's row that make its brand. */
export const BRAND_COLUMNS = [
  'brand_name',
  'business_name',
  'brand_color',
  'business_support_email',
  'logo_url',
  'business_website',
  'business_timezone',
] as const;

const DEFAULT_COLOR = '#2563eb';
const NAME_MAX = 100;

/** Makes the brand from a merchant's row. Line breaks in the name become spaces. */
export function brandOf(merchant: Row): Brand {
  const { brand_name, business_name, brand_color, business_support_email } = merchant;
  const logo_url = toWebAddress(merchant.logo_url, ['https:']);
  const website = toWebAddress(merchant.business_website, ['https:', 'http:']);
  return {
    name: [...oneLine(brand_name || business_name || '')].slice(0, NAME_MAX).join(''),
    color: brand_color ?? DEFAULT_COLOR,
    timezone: merchant.business_timezone ?? 'UTC',
    ...(logo_url && { logo_url }),
    ...(website && { website }),
    ...(business_support_email && { support_email: business_support_email }),
  };
}

/** Replaces line breaks and other control characters with spaces; in a header they could start another header. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
