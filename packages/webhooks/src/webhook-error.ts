/**
 * Why a request is not taken for a delivery:
 *
 * - `header_missing`: it has no signature
 * - `header_repeated`: a signature header came more than once
 * - `header_malformed`: a signature header cannot be read
 * - `too_old`, `too_new`: it was signed further from now than the tolerance
 * - `body_parsed`: no text and no bytes were handed over, but what was made of them
 * - `body_changed`: the body is not, byte for byte, what was sent
 * - `secret_missing`: no secret was handed over
 * - `secret_wrong`: the secret is no webhook secret, or is written otherwise
 * - `mismatch`: no secret has made the signature, and nothing shows which of the two is wrong
 * - `not_an_event`: the signature is right, and the body is something else
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

/** A request that is not to be believed. The message is for a log: it has nothing of the request or the secret in it. */
export class WebhookError extends Error {
  override name = 'WebhookError';
  /** Stays as it is from version to version. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
