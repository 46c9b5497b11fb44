/**
 * Whether a text has the shape of an http or https origin, without any of the characters that a host may have and
 * that mean something in a Content-Security-Policy: `*`, `;`, a comma or a quote.
 */
export const hasOriginShape = (text: string): boolean =>
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);
