import type { Row } from '../database/row.ts';
import { toWebAddress } from './web-address.ts';

/** A merchant's name, colour and logo in emails. */
export interface Brand {
  readonly name: string;
  /** Colour in the form `#rrggbb`. */
  readonly color: string;
  readonly logo_url?: string;
  /** Id of the uploaded logo, which emails carry as a file. Absent with a `logo_url`. */
  readonly logo_id?: string;
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

/** Makes the brand from a merchant's row. `logo_url` precedes an uploaded logo. Line breaks in the name become spaces. */
export function brandOf(merchant: Row): Brand {
  const { brand_name, business_name, brand_color, business_support_email } = merchant;
  const logo_url = toWebAddress(merchant.logo_url, ['https:']);
  const logo_id = logo_url ? undefined : merchant.document_logo_id;
  const website = toWebAddress(merchant.business_website, ['https:', 'http:']);
  return {
    name: [...oneLine(brand_name || business_name || '')].slice(0, NAME_MAX).join(''),
    color: brand_color ?? DEFAULT_COLOR,
    timezone: merchant.business_timezone ?? 'UTC',
    ...(logo_url && { logo_url }),
    ...(logo_id && { logo_id }),
    ...(website && { website }),
    ...(business_support_email && { support_email: business_support_email }),
  };
}

/** Content id of an uploaded logo, by which the HTML of an email names the file (RFC 2392). */
export const contentIdOf = (logo_id: string): string => `${logo_id}@logo`;

/** Replaces line breaks and other control characters with spaces; in a header they could start another header. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
