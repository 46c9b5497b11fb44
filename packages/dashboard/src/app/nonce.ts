declare global {
  /** Nonce for libraries that inject style sheets. */
  var __webpack_nonce__: string | undefined;
}

/** Returns the nonce that permits style sheets under the page's content security policy. */
export function pageNonce(): string {
  const meta = document.querySelector<HTMLElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
}
