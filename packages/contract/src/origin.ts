/**
 * Whether a text has the form of an http or https origin. Excludes characters with a meaning in a
 * Content-Security-Policy: `*`, `;`, comma and quotes.
 */
export const hasOriginShape = (text: string): boolean =>
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);
