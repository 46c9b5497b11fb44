import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { ANY_ANCESTOR } from '../../../../http/pages/form-headers.ts';
import { type Page, renderPolicy, styleSource } from '../../../../http/pages/page.ts';
import type { Language } from '../../pages/language.ts';

/** Script of the launch page. Submits the only form of the page. */
export const LAUNCH_SCRIPT_URL = '/threeds/v1/launch.js';
export const LAUNCH_SCRIPT = 'document.forms[0].submit();\n';

/** Language of a page with its texts and its title. */
export interface BankLanguage extends Language {
  readonly title: string;
}

/** Page of the issuer that the browser opens, and the fields to post. */
export interface Launch {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Page inside the form that leads to the issuer's page. May only post to that issuer. Any page may
 * frame it, since it only shows the posted fields.
 */
export const renderLaunchPage = (
  { url, fields }: Launch,
  { tag, title, text }: BankLanguage,
): Page =>
  renderBankPage({
    tag,
    title,
    form_action: new URL(url).origin,
    body: `<form method="post" action="${escapeHtml(url)}">
${Object.entries(fields).map(renderHiddenField).join('\n')}
<noscript><button>${escapeHtml(text('bank_go'))}</button></noscript>
</form>
<script src="${LAUNCH_SCRIPT_URL}"></script>`,
  });

const renderHiddenField = ([name, value]: [string, string]): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

/**
 * Page to which the issuer sends the browser back. In a frame, the outer form notices it and
 * queries the server. In a tab, the cardholder reads the next step.
 */
export const renderReturnPage = (language: BankLanguage): Page =>
  renderSentence(language, 'bank_return');

/** Page of a frame if the issuer forbids frames. The outer form then offers a tab. */
export const renderUnframedPage = (): Page => renderBankPage({ form_action: "'none'", body: '' });

/** Page if an issuer's page cannot be shown: the authentication has ended, or never existed. */
export const renderEndedPage = (language: BankLanguage): Page => ({
  ...renderSentence(language, 'bank_over'),
  status: 404,
});

const renderSentence = (
  { tag, title, text }: BankLanguage,
  name: 'bank_return' | 'bank_over',
): Page =>
  renderBankPage({
    tag,
    title,
    form_action: "'none'",
    body: `<p>${escapeHtml(text(name))}</p>`,
  });

/** Style of a page with one sentence. */
const STYLE =
  'html{color-scheme:light dark}body{display:grid;place-items:center;min-height:100vh;box-sizing:border-box;margin:0;padding:1rem;font:1.125rem/1.5 system-ui,sans-serif;text-align:center}';

interface BankPage {
  readonly form_action: string;
  readonly body: string;
  /** Language of the body; English if the page has no words. */
  readonly tag?: string;
  readonly title?: string;
}

const renderBankPage = ({ form_action, body, tag = 'en', title = '' }: BankPage): Page => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': renderPolicy({
      'default-src': "'none'",
      'script-src': form_action === "'none'" ? "'none'" : "'self'",
      'style-src': styleSource(STYLE),
      'form-action': form_action,
      'base-uri': "'none'",
      'frame-ancestors': ANY_ANCESTOR,
    }),
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'origin-agent-cluster': '?1',
  },
  html: `<!doctype html>
<html lang="${escapeHtml(tag)}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`,
});
