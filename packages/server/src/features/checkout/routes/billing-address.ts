import type { BillingAddress } from '@florin/contract/protocol/frame.ts';
import { consumerAddresses } from '@florin/contract/resources/consumer-addresses.ts';
import { parseCountry } from '../../../jsonapi/values/country.ts';
import { isStorable } from '../../../jsonapi/values/text.ts';

const { line_1, city, state, zip } = consumerAddresses.fields;

const isText = (value: unknown, max: number, min = 1): value is string =>
  typeof value === 'string' &&
  isStorable(value) &&
  value.trim().length >= min &&
  value.length <= max;

/**
 * Billing address of a verify request, with its country as alpha-3. Undefined if absent, `invalid`
 * if malformed. State and postal code are empty in countries without them.
 */
export function billingAddressOf(body: unknown): BillingAddress | 'invalid' | undefined {
  const value = (body as { billing_address?: unknown } | null)?.billing_address;
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return 'invalid';
  const address = value as Record<keyof BillingAddress, unknown>;
  const country = typeof address.country === 'string' ? parseCountry(address.country) : undefined;
  const hasValidTexts =
    isText(address.line_1, line_1.max) &&
    isText(address.city, city.max) &&
    isText(address.state, state.max, 0) &&
    isText(address.zip, zip.max, 0);
  if (!hasValidTexts || !country) return 'invalid';
  const texts = address as Record<keyof BillingAddress, string>;
  return {
    line_1: texts.line_1.trim(),
    city: texts.city.trim(),
    state: texts.state.trim(),
    zip: texts.zip.trim(),
    country,
  };
}
