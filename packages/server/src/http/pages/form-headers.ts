import { renderPolicy, styleSource } from './page.ts';

/** The page that embeds the form, and the frames that the form embeds. */
export interface EmbeddingOptions {
  /** Whether the embedding page is cross-origin isolated and so loads only isolated frames. */
  readonly isIsolated: boolean;
  /** Policy sources of the frames that the form may embed. */
  readonly frames: string;
  /** Whether the form offers Google Pay, which loads Google's script. */
  readonly hasGooglePay: boolean;
}

/** Origin of Google Pay's script and windows. */
export const GOOGLE_PAY_ORIGIN = 'https://pay.google.com';

/**
 * Address for browsers' reports of policy violations. Uses only `report-uri`: beside `report-to` browsers
 * ignore it, and `report-to` reports late and only over https.
 */
export const POLICY_REPORT_URL = '/frame/v1/csp-report';

export interface FormHeaderOptions {
  readonly style: string;
  /** Whether the document loads the form's script. */
  readonly hasScript: boolean;
  readonly ancestors: string;
  /** Default: any page may embed the form, and the form embeds none. */
  readonly embedding?: EmbeddingOptions;
}

/**
 * Headers of every document inside the form's frame. The headers allow only our own script,
 * style and calls, and forbid caching. Isolated shops may embed the form (COEP with CORP), and issuers' pages may appear in it.
 */
export function formHeaders({
  style,
  hasScript,
  ancestors,
  embedding,
}: FormHeaderOptions): Record<string, string> {
  const ownSource = hasScript ? "'self'" : "'none'";
  const googleSource = embedding?.hasGooglePay ? ` ${GOOGLE_PAY_ORIGIN}` : '';
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': renderPolicy({
      'default-src': "'none'",
      'script-src': `${ownSource}${googleSource}`,
      // Browsers load their own payment sheet from google.com.
      'connect-src': `${ownSource}${googleSource && `${googleSource} https://google.com`}`,
      'style-src': styleSource(style),
      ...(embedding && { 'frame-src': embedding.frames }),
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': ancestors,
      'report-uri': POLICY_REPORT_URL,
      // Google's script writes into the document without a Trusted Types policy.
      ...(!googleSource && { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" }),
    }),
    // Issuers' pages lack the header that this one would require, so it would block them.
    ...(embedding?.isIsolated !== false && { 'cross-origin-embedder-policy': 'require-corp' }),
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
    'origin-agent-cluster': '?1',
    'strict-transport-security': 'max-age=31536000',
  };
}

/** Any page on the web may show the form. */
export const ANY_ANCESTOR = 'http: https:';
