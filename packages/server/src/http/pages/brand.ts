import { escapeHtml } from '@florin/contract/html.ts';
import { inkOn } from '../../platform/emails/ink.ts';

/** How a merchant looks on pages for its payers. */
export interface PageBrand {
  readonly name: string;
  /** `#rrggbb`; other texts are ignored. */
  readonly color?: string | undefined;
  /** Path of the logo, which replaces the name at the top. */
  readonly logo_path?: string | undefined;
}

const COLOR = /^#[\da-f]{6}$/i;

/** Style of a bar at the top, and of these buttons, with a readable text colour. Undefined without a colour. */
export const brandStyle = (
  { color }: Pick<PageBrand, 'color'>,
  buttons: string,
): string | undefined =>
  color && COLOR.test(color)
    ? `body{border-top:6px solid ${color}}${buttons}{background:${color};color:${inkOn(color)};border-color:currentcolor}`
    : undefined;

/** The merchant's logo, or its name. Empty if both are unknown. */
export function renderBrand({ name, logo_path }: PageBrand): string {
  const text = escapeHtml(name);
  if (logo_path) return `<img class="logo" src="${escapeHtml(logo_path)}" alt="${text}">`;
  return text && `<bdi class="name">${text}</bdi>`;
}

/** Policy directives of a page with this brand. */
export const brandPolicy = ({
  logo_path,
}: Pick<PageBrand, 'logo_path'>): Readonly<Record<string, string>> =>
  logo_path ? { 'img-src': "'self'" } : {};
