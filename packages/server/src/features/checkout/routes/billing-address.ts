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
 * The address of a verify call, with its country as alpha-3. Undefined if the form has none,
 * `invalid` if malformed. Countries without states or postal codes have an empty one.
 */
export function billingAddressOf(body: unknown): BillingAddress | 'invalid' | undefined {
  const sent = (body as { billing_address?: unknown } | null)?.billing_address;
  if (sent === undefined) return undefined;
  if (typeof sent !== 'object' || sent === null) return 'invalid';
  const address = sent as Record<keyof BillingAddress, unknown>;
  const country = typeof address.country === 'string' ? parseCountry(address.country) : undefined;
  const fits =
    isText(address.line_1, line_1.max) &&
    isText(address.city, city.max) &&
    isText(address.state, state.max, 0) &&
    isText(address.zip, zip.max, 0);
  if (!fits || !country) return 'invalid';
  const texts = address as Record<keyof BillingAddress, string>;
  return {
    line_1: texts.line_1.trim(),
    city: texts.city.trim(),
    state: texts.state.trim(),
    zip: texts.zip.trim(),
    country,
  };
}
