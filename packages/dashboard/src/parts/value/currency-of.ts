import type { AnyAttributes, Resource, ResourceType } from '../../api/types.ts';

/**
 * Whether an integer field is an amount in minor units, judged by its name. The kind of a velocity limit says if its
 * number is one.
 */
export const isAmount = (name: string, values: AnyAttributes = {}): boolean =>
  name.endsWith('_cents') || (name === 'max_count' && values.kind === 'card_amount');

/**
 * Returns the attribute with an amount's currency: the amount's own (`tax_cents` and `tax_currency`), or the
 * record's.
 */
export function currencyNameOf(
  name: string,
  hasName: (name: string) => boolean,
): string | undefined {
  const own = name.endsWith('_cents') ? [name.replace(/_cents$/, '_currency')] : [];
  return [...own, 'amount_currency', 'currency'].find(hasName);
}

/** Returns the currency of an amount in upper case, or undefined. */
export function currencyOf(name: string, attributes: AnyAttributes): string | undefined {
  const key = currencyNameOf(name, (it) => typeof attributes[it] === 'string');
  return key && String(attributes[key]).toUpperCase();
}

/** Relation to the record whose currency the amounts of a type have. Other types have a currency of their own. */
const relationsByType: Partial<Record<ResourceType, string>> = {
  subscription_changes: 'payment_subscription',
  subscription_periods: 'payment_subscription',
};

/** Returns the relation that a page includes to show the currency of a type's amounts. */
export const currencyRelationOf = (type: ResourceType): string | undefined => relationsByType[type];

/** Returns a record's attributes with the currency of its amounts. */
export function withCurrency(
  { type, attributes }: Resource,
  related: (relation: string) => Resource | undefined,
): AnyAttributes {
  const relation = currencyRelationOf(type);
  const amount_currency = relation && related(relation)?.attributes.amount_currency;
  return amount_currency ? { ...attributes, amount_currency } : attributes;
}
