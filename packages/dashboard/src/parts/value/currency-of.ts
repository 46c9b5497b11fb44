import type { AnyAttributes } from '../../api/types.ts';

/** Whether an integer of this name is an amount of money in minor units. */
export const isAmount = (name: string): boolean => name.endsWith('_cents');

/**
 * The name of the attribute that says in which currency an amount is: its own where it has one
 * (`tax_cents` and `tax_currency`), otherwise that of the record.
 */
export function currencyNameOf(name: string, has: (name: string) => boolean): string | undefined {
  const own = name.replace(/_cents$/, '_currency');
  return [own, 'amount_currency', 'currency'].find(has);
}

/** The currency of an amount of a record, in upper case; undefined where the record does not say. */
export function currencyOf(name: string, attributes: AnyAttributes): string | undefined {
  const key = currencyNameOf(name, (it) => typeof attributes[it] === 'string');
  return key && String(attributes[key]).toUpperCase();
}
