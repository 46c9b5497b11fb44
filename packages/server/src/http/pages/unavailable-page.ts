import type { IncomingHttpHeaders } from 'node:http';
import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { LOCALE_PARAMETER } from '@florin/contract/protocol/frame.ts';
import { allTextsIn } from '../../platform/texts/texts.ts';
import { ANY_ANCESTOR, formHeaders } from './form-headers.ts';
import { type FormLocales, pickLocale } from './form-locale.ts';
import type { Page } from './page.ts';

const STYLE = `:root{color-scheme:light dark}
body{margin:0;padding:2rem 1.25rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto}
h1{margin:0;font-size:1.375rem;line-height:1.3}
p{margin:.75rem 0 0}`;

const locales: FormLocales = new Map(
  [...allTextsIn(new URL('./unavailable/', import.meta.url))].map(([tag, texts]) => [
    tag,
    { tag, texts },
  ]),
);

/** A request as far as it decides about the page. */
export interface RefusedRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

const API = /^\/v2(?:[/?]|$)/;
const PAGE_DESTINATIONS: ReadonlySet<unknown> = new Set(['document', 'iframe']);

/**
 * Whether a person's browser asks for a page, and no program for data. Some HTTP libraries accept HTML first, so the API
 * never answers with a page. Browsers that name the destination of a request are taken at their word.
 */
export function wantsPage({ url, headers }: RefusedRequest): boolean {
  if (API.test(url)) return false;
  const [destination, mode] = [headers['sec-fetch-dest'], headers['sec-fetch-mode']];
  if (destination !== undefined || mode !== undefined)
    return PAGE_DESTINATIONS.has(destination) || mode === 'navigate';
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/**
 * Tells a person, in the language of the request, that nothing works now, and that this request charged nothing where
 * that is certain. Other sites may frame the page, since the card form is framed. The page has no script, link or form.
 */
export function renderUnavailablePage(
  { url, headers }: RefusedRequest,
  retry_after_seconds: number,
  isUncharged = true,
): Page {
  const requestedTag = new URLSearchParams(url.split('?')[1]).get(LOCALE_PARAMETER) ?? '';
  const { tag, texts } = pickLocale(locales, requestedTag, headers['accept-language'] ?? '');
  const textOf = (name: string): string => escapeHtml(texts[name] ?? '');
  return {
    status: 503,
    headers: {
      ...formHeaders({ style: STYLE, hasScript: false, ancestors: ANY_ANCESTOR }),
      'retry-after': String(retry_after_seconds),
      'x-robots-tag': 'noindex, nofollow',
    },
    html: `<!doctype html>
<html lang="${escapeHtml(tag)}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${textOf('title')}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${textOf('title')}</h1>
${isUncharged ? `<p>${textOf('not_charged')}</p>\n` : ''}<p>${textOf('paid_before')}</p>
</main>
</body>
</html>
`,
  };
}
