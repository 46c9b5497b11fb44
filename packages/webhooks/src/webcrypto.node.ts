import { webcrypto } from 'node:crypto';

/** Node 18 has Web Crypto, but no global for it. */
export const { subtle } = webcrypto;
