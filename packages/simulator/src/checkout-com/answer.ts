/** Response of the stand-in. Without `body` and `text` the body is empty. */
export interface CheckoutAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Body that is not JSON, with its media type. */
  readonly text?: readonly [mediaType: string, text: string];
}

/** Empty responses: the status alone says what happened. */
export const unauthorised: CheckoutAnswer = { status: 401 };
export const notAllowed: CheckoutAnswer = { status: 403 };
export const notFound: CheckoutAnswer = { status: 404 };
export const rateLimited: CheckoutAnswer = { status: 429 };
export const noContent: CheckoutAnswer = { status: 204 };

/** Validation error 422. The transport adds `request_id`. */
export const invalid = (
  error_codes: readonly string[],
  error_type = 'request_invalid',
): CheckoutAnswer => ({ status: 422, body: { error_type, error_codes } });

/** Response to a body that is not JSON or not an object. */
export const malformed: CheckoutAnswer = {
  status: 400,
  body: { error_type: 'request_malformed', error_codes: ['request_body_malformed'] },
};
