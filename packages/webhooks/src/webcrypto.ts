/** Browsers, edge runtimes, Bun and Deno have Web Crypto as a global. */
export const { subtle } = globalThis.crypto;
