import type { StandInAnswer } from '../stand-in/answer.ts';

/** Validation error 422. The transport adds `request_id`. */
export const invalid = (
  error_codes: readonly string[],
  error_type = 'request_invalid',
): StandInAnswer => ({ status: 422, body: { error_type, error_codes } });

/** Response to a body that is not JSON or not an object. */
export const malformed: StandInAnswer = {
  status: 400,
  body: { error_type: 'request_malformed', error_codes: ['request_body_malformed'] },
};
