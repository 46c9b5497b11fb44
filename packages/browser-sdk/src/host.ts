const ALLOWED = /^(https:|http:\/\/(localhost|.+\.localhost|127(\.\d+){3})(:|$))/;

/**
 * Origin that serves the payment form: `host` where it is given, else where the SDK's script came from.
 * Throws an `Error` unless it is https; plain http is for the own machine only.
 */
export function originOf(host: string | undefined, script_url: string | undefined): string {
  try {
    const { origin } = new URL(host ?? script_url ?? '');
    if (ALLOWED.test(origin)) return origin;
  } catch {
    // What is no address is answered like one that is not allowed.
  }
  throw new Error('Florin: option "host" must look like https://pay.example.com.');
}
