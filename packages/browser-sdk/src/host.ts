const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3})$/;

/**
 * Origin that serves the payment form: `host` where it is given, else where the SDK's script came from.
 * Throws an `Error` unless it is https; plain http is for the own machine only.
 */
export function originOf(host: string | undefined, script_url: string | undefined): string {
  const url = parse(host ?? script_url);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error('Florin: option "host" must look like https://pay.example.com.');
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new Error('Florin: option "host" must be https, except on localhost.');
  }
  return url.origin;
}

function parse(text: string | undefined): URL | undefined {
  try {
    return text ? new URL(text) : undefined;
  } catch {
    return undefined;
  }
}
