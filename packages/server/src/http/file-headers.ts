import { NO_STORE } from '../jsonapi/answer.ts';

/** Headers of a file. No browser shows it, runs it, or guesses another type. */
export const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': NO_STORE,
} as const;
