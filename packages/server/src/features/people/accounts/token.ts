import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** An unguessable text: 256 random bits in base64url. Stored as its hash (`hashKey`). */
export const makeToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const looksLikeToken = (text: string): boolean => TOKEN.test(text);
