import type { FrameOptions } from '@florin/contract/protocol/frame.ts';

/** Reads the page's options from the fragment of the form's URL. Ignores unknown members. */
export function readOptions(hash: string): FrameOptions {
  const options = parse(hash);
  return {
    scheme: options.scheme === 'dark' ? 'dark' : 'light',
    debug: options.debug === true,
    applePay: options.applePay === true,
    googlePay: options.googlePay === true,
    appearance: isObject(options.appearance) ? options.appearance : {},
  };
}

function parse(hash: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(hash.slice(1)));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null;
