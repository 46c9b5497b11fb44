/** Web Crypto, which browsers, edge runtimes, Bun and Deno have as a global. */
export const { subtle } = globalThis.crypto;
