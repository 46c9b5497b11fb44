/**
 * A merchant's policies for 3-D Secure: results are mandatory, used when present, or ignored.
 * `required_or_asserted` also accepts results that the merchant's own 3-D Secure server obtained.
 */
export const threedsPolicies = [
  'required',
  'required_or_asserted',
  'when_available',
  'off',
] as const;
