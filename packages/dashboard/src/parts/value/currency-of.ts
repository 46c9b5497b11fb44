import type { AnyAttributes } from '../../api/types.ts';

/** Whether an integer field is an amount in minor units, judged by its name. */
export const isAmount = (name: string): boolean => name.endsWith('_cents');

/**
 * Returns the attribute with an amount's currency: the amount's own (`tax_cents` and `tax_currency`), or the
 * record's.
 */
export function currencyNameOf(
  name: string,
  hasName: (name: string) => boolean,
): string | undefined {
  const own = name.replace(/_cents$/, '_currency');
  return [own, 'amount_currency', 'currency'].find(hasName);
}

/** Returns the currency of an amount in upper case, or undefined. */
export function currencyOf(name: string, attributes: AnyAttributes): string | undefined {
  const key = currencyNameOf(name, (it) => typeof attributes[it] === 'string');
  return key && String(attributes[key]).toUpperCase();
}
