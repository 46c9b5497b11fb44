import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, renderPolicy, styleSource } from './page.ts';

/** A page of the pay origin for a single payer, at an unguessable address. */
export interface ClosedPage {
  readonly status: number;
  /** Language tag (BCP 47). */
  readonly tag: string;
  readonly direction: 'rtl' | 'ltr';
  readonly title: string;
  readonly style_url: string;
  /** Further style, such as a merchant's colour. Contains nothing that closes the element. */
  readonly style?: string;
  /** URLs of this origin's scripts. A page with scripts may embed the card form of the same origin. */
  readonly scripts: readonly string[];
  /** Further policy directives. Without scripts, the policy otherwise allows only the style. */
  readonly policy?: Readonly<Record<string, string>>;
  /** Headers that add to, or replace, the common headers of closed pages. */
  readonly headers?: Readonly<Record<string, string>>;
  /** HTML of the body. */
  readonly body: string;
}

/** The complete page, with headers that keep it out of caches, search indexes and frames. */
export const renderClosedPage = (page: ClosedPage): Page => ({
  status: page.status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(page),
    ...CLOSED_HEADERS,
    ...page.headers,
  },
  html: `<!doctype html>
<html lang="${escapeHtml(page.tag)}" dir="${page.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="${page.style_url}">
${page.style ? `<style>${page.style}</style>\n` : ''}${page.scripts.map((url) => `<script src="${escapeHtml(url)}" defer></script>\n`).join('')}</head>
<body>
${page.body}
</body>
</html>
`,
});

/** The card form has the same origin, so only our own scripts may run. */
const policyOf = ({ scripts, style, policy: extraDirectives }: ClosedPage): string =>
  renderPolicy({
    'default-src': "'none'",
    'style-src': style ? `'self' ${styleSource(style)}` : "'self'",
    ...(scripts.length > 0 && { 'script-src': "'self'", 'frame-src': "'self'" }),
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
    ...extraDirectives,
  });

/** Common headers of closed pages. `Referrer-Policy` hides the page's address from linked sites. */
export const CLOSED_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/** Head of a page: the merchant's name (HTML) and the sandbox badge. Empty if both are unknown. */
export const topOf = (name: string, mode: string | undefined): string =>
  name || mode
    ? `<header class="top">${name}${mode ? `<span class="tag">${escapeHtml(mode)}</span>` : ''}</header>\n`
    : '';
