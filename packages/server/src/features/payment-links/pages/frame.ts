import { directionOf } from '@florin/contract/locales.ts';
import { brandPolicy, brandStyle, renderBrand } from '../../../http/pages/brand.ts';
import { renderClosedPage, topOf } from '../../../http/pages/closed-page.ts';
import { POLICY_REPORT_URL } from '../../../http/pages/form-headers.ts';
import type { Page } from '../../../http/pages/page.ts';
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
  const { status, language, title, merchant = '', sandbox = false, color, logo_path } = options;
  const { scripts = [], body } = options;
  const { tag, text } = language;
  const style = brandStyle({ color }, 'main.link button');
  return renderClosedPage({
    status,
    tag,
    direction: directionOf(tag),
    title,
    style_url: linkAssets.style,
    scripts,
    ...(style && { style }),
    policy: {
      ...brandPolicy({ logo_path }),
      ...(scripts.length > 0 && { 'connect-src': "'self'" }),
      'report-uri': POLICY_REPORT_URL,
    },
    // With `no-referrer`, browsers submit the form with the origin `null`.
    headers: { 'referrer-policy': 'same-origin' },
    body: `${topOf(renderBrand({ name: merchant, logo_path }), sandbox ? text('test_mode') : undefined)}<main class="link">
${body}
</main>`,
  });
}
