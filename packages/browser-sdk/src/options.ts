import type { Appearance, FormFactor } from '@florin/contract/protocol/frame.ts';

/** Options of the form; all are optional. */
export interface FlorinOptions {
  /** Origin of the payment form. Default: the origin that served this script. */
  readonly host?: string;
  /** Logs events to the console, without card data. */
  readonly debug?: boolean;
  /** Whether to offer Apple Pay. The form must have Apple Pay set up. */
  readonly applePay?: boolean;
  /** Whether to offer Google Pay. The form must have Google Pay set up. */
  readonly googlePay?: boolean;
  /**
   * `inputs` (default): card fields only, the page has the pay button. `embedded`: the form also asks for the billing
   * address and has its own pay button.
   */
  readonly formFactor?: FormFactor;
  /** Language of the form (BCP 47). Default: the page's `<html lang>`, or the browser's language. */
  readonly locale?: string;
  /** Colours, corners and text size. */
  readonly appearance?: Appearance;
}

/** Throws an `Error` that names an unusable option. */
export function checkOptions({ formFactor = 'inputs' }: FlorinOptions): void {
  if (formFactor !== 'inputs' && formFactor !== 'embedded') {
    throw new Error('Florin: option "formFactor" must be "inputs" or "embedded".');
  }
}

const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** Throws a `RangeError` unless a timer accepts the time, in milliseconds. */
export function checkTimeout(timeout_ms: number): number {
  if (timeout_ms > 0 && timeout_ms <= TIMEOUT_MS_MAX) return timeout_ms;
  throw new RangeError('Florin: the timeout must be a positive number of milliseconds.');
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Throws an `Error` unless the value can be the id of a payment or subscription. */
export function checkPaymentId(id: unknown): string {
  const text = String(id);
  if (UUID.test(text)) return text;
  throw new Error('Florin: the payment id must be a UUID.');
}
