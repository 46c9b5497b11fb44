/**
 * Reason why a request is refused:
 *
 * - `header_missing`: the request has no signature
 * - `header_repeated`: a signature header is present more than once
 * - `header_malformed`: a signature header is malformed
 * - `too_old`, `too_new`: the signature's time differs from now by more than the tolerance
 * - `body_parsed`: the caller passed a parsed body instead of text or bytes
 * - `body_changed`: the body differs from the signed body
 * - `secret_missing`: the caller passed no secret
 * - `secret_wrong`: the secret is malformed, or not a webhook secret
 * - `mismatch`: no secret made the signature; either the body or the secret is wrong
 * - `not_an_event`: the signature is valid, but the body is not an event
 */
export type WebhookErrorCode =
  | 'header_missing'
  | 'header_repeated'
  | 'header_malformed'
  | 'too_old'
  | 'too_new'
  | 'body_parsed'
  | 'body_changed'
  | 'secret_missing'
  | 'secret_wrong'
  | 'mismatch'
  | 'not_an_event';

/** A refused request. The message is safe to log: it never repeats the request or the secret. */
export class WebhookError extends Error {
  override name = 'WebhookError';
  /** Stable across versions. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
