import { policy, styleSource } from './page.ts';

/** What is around the form, and what may be inside it. */
export interface Embedding {
  /** Whether the page around it is cross-origin isolated: it then shows only what is so itself. */
  readonly isolated: boolean;
  /** Sources of the frames that the form may show. */
  readonly frames: string;
  /** Whether Google's wallet, which brings code of its own, is part of the form. */
  readonly google: boolean;
}

/** Where Google's script for its wallet is from, and what it opens. */
export const GOOGLE_PAY_ORIGIN = 'https://pay.google.com';

/**
 * Where browsers report violations of the form's policy. Named by `report-uri`, which all of them know, and not by
 * `report-to`: what names both is reported by the second alone, late and over https only.
 */
export const POLICY_REPORT_URL = '/frame/v1/csp-report';

export interface FormHeaderOptions {
  readonly style: string;
  /** Whether the document runs the form's script. */
  readonly script: boolean;
  readonly ancestors: string;
  /** Default: around it may be anything, inside it nothing. */
  readonly embedding?: Embedding;
}

/**
 * Headers of every document inside the form's frame. Nothing but our own script, style and calls;
 * an isolated shop may embed it (COEP with CORP), banks may show their pages in it, and nothing of it is kept.
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
      // Google's script writes into the document without a policy.
      ...(!google && { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" }),
    }),
    // It would keep out the pages of banks, which send no such header.
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

/** Any page on the web may show it. */
export const ANY_ANCESTOR = 'http: https:';
