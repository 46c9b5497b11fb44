import { webcrypto } from 'node:crypto';

/** Node 18 has Web Crypto, but not as a global. */
export const { subtle } = webcrypto;
