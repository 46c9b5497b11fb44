import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, policy } from '../page.ts';
import { apart, type Speech } from './speech.ts';

export const STYLE_URL = '/customer-page.css';

export interface FrameOptions {
  readonly status?: number;
  readonly title: string;
  /** HTML of the page's main part. */
  readonly main: string;
  readonly merchant_name?: string;
  readonly sandbox?: boolean;
  /** Addresses of scripts; the page then may show the payment form too. */
  readonly scripts?: readonly string[];
}

/** A whole page of the customer's own pages. */
export function framed(speech: Speech, options: FrameOptions): Page {
  const { status = 200, title, main, merchant_name, sandbox = false, scripts = [] } = options;
  const name =
    merchant_name === undefined ? '' : `<span class="name">${apart(merchant_name)}</span>`;
  const mode = sandbox ? `<span class="tag">${escapeHtml(speech.text('test_mode'))}</span>` : '';
  return {
    status,
    headers: headersOf(scripts.length > 0),
    html: `<!doctype html>
<html lang="${escapeHtml(speech.tag)}" dir="${speech.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${STYLE_URL}">
${scripts.map((url) => `<script src="${escapeHtml(url)}" defer></script>`).join('\n')}
</head>
<body>
${name || mode ? `<header class="top">${name}${mode}</header>` : ''}
<main>
${main}
</main>
</body>
</html>
`,
  };
}

/** Nothing of the page is kept or indexed, nobody shows it in a frame, and where it leads nobody learns its address. */
const headersOf = (scripted: boolean): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy({
    'default-src': "'none'",
    'style-src': "'self'",
    ...(scripted && { 'script-src': "'self'", 'frame-src': "'self'" }),
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
  ...CLOSED_HEADERS,
});

/** What every document behind a customer's link has. */
export const CLOSED_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};
