import { policy, styleSource } from './page.ts';

export interface FormHeaderOptions {
  readonly style: string;
  /** Whether the document runs the form's script. */
  readonly script: boolean;
  readonly ancestors: string;
}

/**
 * Headers of every document inside the form's frame. Nothing but our own script, style and calls;
 * an isolated shop may embed it (COEP with CORP), and nothing of it is kept.
 */
export function formHeaders({
  style,
  script,
  ancestors,
}: FormHeaderOptions): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': script ? "'self'" : "'none'",
      'connect-src': script ? "'self'" : "'none'",
      'style-src': styleSource(style),
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': ancestors,
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    }),
    'cross-origin-embedder-policy': 'require-corp',
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
