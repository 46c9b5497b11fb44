import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, policy } from './page.ts';

/** A page of the pay origin for one payer alone, at an unguessable address. */
export interface ClosedPage {
  readonly status: number;
  /** BCP 47. */
  readonly tag: string;
  readonly direction: 'rtl' | 'ltr';
  readonly title: string;
  readonly style_url: string;
  /**
   * URLs of this origin's scripts; a page with scripts may show the card form of the same origin.
   */
  readonly scripts: readonly string[];
  /** Further directives of the policy; without scripts, it allows nothing but the style. */
  readonly policy?: Readonly<Record<string, string>>;
  /** Headers that add to, or replace, those of every such document. */
  readonly headers?: Readonly<Record<string, string>>;
  /** HTML. */
  readonly body: string;
}

/** The document, with headers that keep it out of caches, indexes and frames. */
export const closedPage = (page: ClosedPage): Page => ({
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
${page.scripts.map((url) => `<script src="${escapeHtml(url)}" defer></script>\n`).join('')}</head>
<body>
${page.body}
</body>
</html>
`,
});

/** Only our own scripts may run: the card form has the same origin. */
const policyOf = ({ scripts, policy: more }: ClosedPage): string =>
  policy({
    'default-src': "'none'",
    'style-src': "'self'",
    ...(scripts.length > 0 && { 'script-src': "'self'", 'frame-src': "'self'" }),
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
    ...more,
  });

/** Headers of every such document. Linked sites do not learn its address. */
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

/**
 * Head of a page with the merchant's name and the sandbox's mark; empty if both are unknown. `name`
 * is HTML.
 */
export const topOf = (name: string, mode: string | undefined): string =>
  name || mode
    ? `<header class="top">${name}${mode ? `<span class="tag">${escapeHtml(mode)}</span>` : ''}</header>\n`
    : '';
