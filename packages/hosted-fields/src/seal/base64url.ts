/** Base64url without padding (RFC 7515, appendix C). */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
