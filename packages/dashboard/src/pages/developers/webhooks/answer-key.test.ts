import { expect, it } from 'vitest';
import { answerKey } from './answer-key.ts';

it.each([
  ['timeout', 'answer_timeout'],
  ['connection_failed: ECONNREFUSED', 'answer_refused'],
  ['connection_failed: ENOTFOUND', 'answer_unknown_host'],
  ['connection_closed', 'answer_closed'],
  ['connection_failed: DEPTH_ZERO_SELF_SIGNED_CERT', 'answer_certificate'],
  ['connection_failed: ERR_TLS_CERT_ALTNAME_INVALID', 'answer_certificate'],
  ['address_refused', 'answer_address'],
  ['secret_unreadable', 'answer_secret'],
  ['headers_too_large', 'answer_headers'],
  ['invalid_answer', 'answer_invalid'],
  ['connection_failed: EHOSTUNREACH', 'answer_unreachable'],
  ['archived', undefined],
])('%s has the text %s', (error, key) => expect(answerKey(error)).toBe(key));
