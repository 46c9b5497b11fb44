import type { AnyAttributes } from '../../api/types.ts';

/** Whether an integer field is an amount in minor units, by its name. */
export const isAmount = (name: string): boolean => name.endsWith('_cents');

/**
 * Returns the attribute that holds an amount's currency: its own (`tax_cents` and `tax_currency`), or that of the
 * record.
 */
export function currencyNameOf(name: string, has: (name: string) => boolean): string | undefined {
  const own = name.replace(/_cents$/, '_currency');
  return [own, 'amount_currency', 'currency'].find(has);
}

/** Returns the currency of an amount in upper case, or undefined. */
export function currencyOf(name: string, attributes: AnyAttributes): string | undefined {
  const key = currencyNameOf(name, (it) => typeof attributes[it] === 'string');
  return key && String(attributes[key]).toUpperCase();
}
