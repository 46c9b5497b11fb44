/** Limits of a merchant's logo on documents: bytes, and pixels of each side. */
export const LOGO_BYTES_MAX = 150_000;
export const LOGO_SIDE_MAX = 2_000;

/** The logo of a merchant's new documents. Null without one. */
export interface DocumentLogo {
  readonly id: string | null;
}
