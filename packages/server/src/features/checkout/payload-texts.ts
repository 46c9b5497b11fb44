/** Texts of a signed payload: base64url of texts with spaces between them. Nothing is verified here. */
export const payloadTextsOf = (payload: string): string[] =>
  Buffer.from(payload, 'base64url').toString().split(' ');
