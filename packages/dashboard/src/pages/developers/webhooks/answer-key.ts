/** Keys of texts that say why an endpoint gave no response. */
export type AnswerKey =
  | 'answer_timeout'
  | 'answer_refused'
  | 'answer_unknown_host'
  | 'answer_closed'
  | 'answer_certificate'
  | 'answer_address'
  | 'answer_secret'
  | 'answer_headers'
  | 'answer_invalid'
  | 'answer_unreachable';

const PATTERNS: readonly (readonly [RegExp, AnswerKey])[] = [
  [/^timeout$/, 'answer_timeout'],
  [/ECONNREFUSED/, 'answer_refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'answer_unknown_host'],
  [/^connection_closed$|ECONNRESET|EPIPE/, 'answer_closed'],
  [/CERT|SSL|TLS/, 'answer_certificate'],
  [/^address_refused$/, 'answer_address'],
  [/^secret_unreadable$/, 'answer_secret'],
  [/^headers_too_large$/, 'answer_headers'],
  [/^invalid_answer$/, 'answer_invalid'],
  [/^connection_failed/, 'answer_unreachable'],
];

/** Returns the key of the text for an error of a delivery; undefined for an unknown error. */
export const answerKey = (error: string): AnswerKey | undefined =>
  PATTERNS.find(([pattern]) => pattern.test(error))?.[1];
