import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { POLICY_REPORT_URL } from '../form-headers.ts';
import { type Page, policy } from '../page.ts';
import type { Texts } from './texts.ts';

/** In which language a page is, and what it says in it. */
export interface Language {
  /** BCP 47. */
  readonly tag: string;
  readonly text: Texts;
}

/** Where the pages' style and script are. */
export const linkAssets = { style: '/links/link.css', script: '/links/link.js' } as const;

interface FrameOptions {
  readonly status: number;
  readonly language: Language;
  readonly title: string;
  /** Who is paid; none where that is not known. */
  readonly merchant?: string;
  readonly sandbox?: boolean;
  /** Scripts of this origin, and the frame of the card form; a page without has neither. */
  readonly scripts?: readonly string[];
  /** HTML. */
  readonly body: string;
}

/** The document around each page of a link. */
export function frame(options: FrameOptions): Page {
  const { status, language, title, merchant = '', sandbox = false, scripts = [], body } = options;
  const { tag, text } = language;
  return {
    status,
    headers: headersOf(scripts.length > 0),
    html: `<!doctype html>
<html lang="${escapeHtml(tag)}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${linkAssets.style}">
${scripts.map((url) => `<script src="${escapeHtml(url)}" defer></script>\n`).join('')}</head>
<body>
<header class="top">
<bdi class="name">${escapeHtml(merchant)}</bdi>
${sandbox ? `<span class="tag">${escapeHtml(text('sandbox'))}</span>\n` : ''}</header>
<main class="link">
${body}
</main>
</body>
</html>
`,
  };
}

/** The form is of the same origin, so that nothing may run beside our own scripts. */
const headersOf = (scripted: boolean): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy({
    'default-src': "'none'",
    'style-src': "'self'",
    ...(scripted && { 'script-src': "'self'", 'connect-src': "'self'", 'frame-src': "'self'" }),
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'report-uri': POLICY_REPORT_URL,
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  // With `no-referrer` a browser sends the form from the origin `null`.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
  'strict-transport-security': 'max-age=31536000',
});
