/** A publishable key, or the form token with which Florin's own pages mount a form. */
const PUBLISHABLE = /^ept_(live|sandbox)_(b\w+|g[\w.-]+)$/;
const SECRET = /^ept_(live|sandbox)_s/;

/**
 * Throws an `Error` unless the key is publishable. The message never repeats a secret key, because errors may be
 * logged.
 */
export function checkPublishableKey(key: unknown): string {
  const text = String(key);
  if (PUBLISHABLE.test(text)) return text;
  if (SECRET.test(text)) {
    throw new Error('Florin: a secret key must never reach a browser. Rotate it.');
  }
  throw new Error('Florin: the publishable key must look like ept_sandbox_b… or ept_live_b….');
}
