import type { Answer } from './client.ts';

/** Headers of responses that caches must revalidate. */
export const PRIVATE = ['private, no-cache', 'nosniff'];
/** Headers of responses with secrets. */
export const NO_STORE = ['no-store', 'nosniff'];

/** Headers of a response that instruct caches and browsers. */
export const cachingHeadersOf = ({ headers }: Pick<Answer, 'headers'>): (string | null)[] => [
  headers.get('cache-control'),
  headers.get('x-content-type-options'),
];
