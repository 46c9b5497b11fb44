/**
 * Signature of a `ChallengeResult`. The directory server signs each delivery with the `results_key` of
 * the authentication: HMAC-SHA-256 in base64url over `signedResultText`.
 */
export const RESULT_SIGNATURE_HEADER = 'florin-result-signature';

export interface ResultSignature {
  /** Time of the delivery in Unix milliseconds. Each delivery of a result has a later one. */
  readonly sent_at: number;
  readonly signature: string;
}

/** Text that the signature covers. `body` is the request's body, byte by byte. */
export const signedResultText = (sent_at: number, body: string): string => `${sent_at}.${body}`;

export const resultSignatureHeader = ({ sent_at, signature }: ResultSignature): string =>
  `t=${sent_at},v1=${signature}`;

/** Parses the header; undefined if malformed. */
export function parseResultSignature(header: string): ResultSignature | undefined {
  const [, sent_at, signature] = /^t=(\d{13}),v1=([\w-]{43})$/.exec(header) ?? [];
  return sent_at && signature ? { sent_at: Number(sent_at), signature } : undefined;
}
