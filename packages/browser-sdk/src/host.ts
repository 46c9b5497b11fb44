const ALLOWED = /^(https:|http:\/\/(localhost|.+\.localhost|127(\.\d+){3})(:|$))/;

/**
 * Origin that serves the payment form: `host` if given, otherwise the origin of the SDK's script. Throws an `Error`
 * unless the origin is https; plain http is allowed for localhost only.
 */
export function originOf(host: string | undefined, script_url: string | undefined): string {
  try {
    const { origin } = new URL(host ?? script_url ?? '');
    if (ALLOWED.test(origin)) return origin;
  } catch {
    // Invalid addresses get the same message as forbidden ones.
  }
  throw new Error('Florin: option "host" must look like https://pay.example.com.');
}
