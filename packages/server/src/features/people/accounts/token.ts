import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Token of 256 random bits in base64url. Only its hash (`hashKey`) is stored. */
export const makeToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const looksLikeToken = (text: string): boolean => TOKEN.test(text);
