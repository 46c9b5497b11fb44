import { policy, styleSource } from './page.ts';

/** Page around the form, and frames inside it. */
export interface Embedding {
  /** Whether the outer page is cross-origin isolated: it then loads only isolated frames. */
  readonly isolated: boolean;
  /** Sources of the frames that the form may show. */
  readonly frames: string;
  /** Whether the form includes Google Pay, which loads its own code. */
  readonly google: boolean;
}

/** Origin of Google Pay's script and of its windows. */
export const GOOGLE_PAY_ORIGIN = 'https://pay.google.com';

/**
 * Where browsers report violations of the form's policy. Uses `report-uri`, since browsers ignore
 * it beside `report-to`, which reports late and over https only.
 */
export const POLICY_REPORT_URL = '/frame/v1/csp-report';

export interface FormHeaderOptions {
  readonly style: string;
  /** Whether the document runs the form's script. */
  readonly script: boolean;
  readonly ancestors: string;
  /** Default: any page around the form, no frame inside it. */
  readonly embedding?: Embedding;
}

/**
 * Headers of every document inside the form's frame, which allow only our own script, style and
 * calls. An isolated shop may embed the form (COEP with CORP), issuers may show their pages in it,
 * and nothing is cached.
 */
export function formHeaders({
  style,
  script,
  ancestors,
  embedding,
}: FormHeaderOptions): Record<string, string> {
  const own = script ? "'self'" : "'none'";
  const google = embedding?.google ? ` ${GOOGLE_PAY_ORIGIN}` : '';
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': `${own}${google}`,
      // A browser's own payment sheet is found at google.com.
      'connect-src': `${own}${google && `${google} https://google.com`}`,
      'style-src': styleSource(style),
      ...(embedding && { 'frame-src': embedding.frames }),
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': ancestors,
      'report-uri': POLICY_REPORT_URL,
      // Google's script writes into the document without a Trusted Types policy.
      ...(!google && { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" }),
    }),
    // This header would block issuers' pages, which do not send it.
    ...(embedding?.isolated !== false && { 'cross-origin-embedder-policy': 'require-corp' }),
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
