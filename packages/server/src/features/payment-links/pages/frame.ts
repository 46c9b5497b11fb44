import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { renderClosedPage, topOf } from '../../../http/pages/closed-page.ts';
import { POLICY_REPORT_URL } from '../../../http/pages/form-headers.ts';
import type { Page } from '../../../http/pages/page.ts';
import { inkOn } from '../../../platform/emails/ink.ts';
import type { Language } from '../../checkout/pages/language.ts';

/** Paths of the style sheet and the script. */
export const linkAssets = { style: '/links/link.css', script: '/links/link.js' } as const;

interface FrameOptions {
  readonly status: number;
  readonly language: Language;
  readonly title: string;
  /** Merchant's name; absent if unknown. */
  readonly merchant?: string;
  readonly sandbox?: boolean;
  /** The merchant's colour, as `#rrggbb`. */
  readonly color?: string | undefined;
  /** Path of the merchant's logo. */
  readonly logo_path?: string | undefined;
  /** Paths of scripts. A page with scripts also allows the card form's frame. */
  readonly scripts?: readonly string[];
  /** HTML of the page's content. */
  readonly body: string;
}

/** HTML document of a link's page. */
export function renderLinkPage(options: FrameOptions): Page {
  const {
    status,
    language,
    title,
    sandbox = false,
    color,
    logo_path,
    scripts = [],
    body,
  } = options;
  const { tag, text } = language;
  return renderClosedPage({
    status,
    tag,
    direction: directionOf(tag),
    title,
    style_url: linkAssets.style,
    scripts,
    ...(color && COLOR.test(color) && { style: brandStyle(color) }),
    policy: {
      ...(logo_path && { 'img-src': "'self'" }),
      ...(scripts.length > 0 && { 'connect-src': "'self'" }),
      'report-uri': POLICY_REPORT_URL,
    },
    // With `no-referrer`, browsers submit the form with the origin `null`.
    headers: { 'referrer-policy': 'same-origin' },
    body: `${topOf(nameOf(options), sandbox ? text('test_mode') : undefined)}<main class="link">
${body}
</main>`,
  });
}

function nameOf({ merchant = '', logo_path }: FrameOptions): string {
  const name = escapeHtml(merchant);
  if (logo_path) return `<img class="logo" src="${escapeHtml(logo_path)}" alt="${name}">`;
  return name && `<bdi class="name">${name}</bdi>`;
}

const COLOR = /^#[\da-f]{6}$/i;

/** Style of a bar at the top, and of buttons, with a readable text colour. */
const brandStyle = (color: string): string =>
  `body{border-top:6px solid ${color}}main.link button{background:${color};color:${inkOn(color)};border-color:currentcolor}`;
