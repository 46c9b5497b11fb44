import { webcrypto } from 'node:crypto';

/** Web Crypto of Node, which has no global of it in version 18. */
export const { subtle } = webcrypto;
