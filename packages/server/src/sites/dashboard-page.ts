import { type Page, renderPolicy } from '../http/pages/page.ts';

/** Placeholder in the built page for the nonce of one response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

interface PageOptions {
  readonly nonce: string;
  /** Origin of the card form, which the dashboard embeds for orders by telephone. */
  readonly pay_origin: string;
}

/**
 * The web application's page for one request. The policy allows only its own script, and style sheets with
 * the nonce.
 */
export const renderDashboardPage = (
  builtHtml: string,
  { nonce, pay_origin }: PageOptions,
): Page => ({
  status: 200,
  html: builtHtml.replaceAll(NONCE_PLACEHOLDER, nonce),
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': renderPolicy({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': `'self' 'nonce-${nonce}'`,
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      // Own frames show emails, and run without any permission.
      'frame-src': `'self' ${pay_origin}`,
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    }),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  },
});
