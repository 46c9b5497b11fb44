import type { Appearance, FormFactor } from '@florin/contract/protocol/frame.ts';

/** All of it is optional. */
export interface FlorinOptions {
  /** Origin of the payment form; by default the one that served this script. */
  readonly host?: string;
  /** Logs what happens, without card data, to the console. */
  readonly debug?: boolean;
  /** Offer Apple Pay where the form has it. */
  readonly applePay?: boolean;
  /** Offer Google Pay where the form has it. */
  readonly googlePay?: boolean;
  /**
   * `inputs` (default): card fields only, the page has the pay button. `embedded`: the form asks for the
   * billing address too and has a pay button of its own.
   */
  readonly formFactor?: FormFactor;
  /** Language of the form (BCP 47); by default that of the page's `<html lang>`, else the browser's. */
  readonly locale?: string;
  /** Colours, corners and size of the text. */
  readonly appearance?: Appearance;
}

/** Throws an `Error` that names the option that cannot be used. */
export function checkOptions({ formFactor = 'inputs' }: FlorinOptions): void {
  if (formFactor !== 'inputs' && formFactor !== 'embedded') {
    throw new Error('Florin: option "formFactor" must be "inputs" or "embedded".');
  }
}

const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/** Throws a `RangeError` unless it is a time that a timer can wait, in milliseconds. */
export function checkTimeout(timeout_ms: number): number {
  if (timeout_ms > 0 && timeout_ms <= TIMEOUT_MS_MAX) return timeout_ms;
  throw new RangeError('Florin: the timeout must be a positive number of milliseconds.');
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Throws an `Error` unless it can be the id of a payment or subscription. */
export function checkPaymentId(id: unknown): string {
  const text = String(id);
  if (UUID.test(text)) return text;
  throw new Error('Florin: the payment id must be a UUID.');
}
