declare global {
  /** Read by the libraries that put style sheets of their own into the page. */
  var __webpack_nonce__: string | undefined;
}

/** What style sheets of this visit carry, so that the page's policy lets them in. */
export function pageNonce(): string {
  const meta = document.querySelector<HTMLElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
}
