const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Pascal case of a name: `payment_demands` → `PaymentDemands`. */
export const pascal = (name: string): string => name.split('_').map(capital).join('');

/** Camel case of a name: `rotate_secret` → `rotateSecret`. */
export const camel = (name: string): string => name.charAt(0) + pascal(name).slice(1);

/** Singular of a type's name: `legal_addresses` → `legal_address`, `memberships` → `membership`. */
const singular = (type: string): string =>
  type
    .replace(/(?<=ss)es$/, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '');

/** Name of one record of a type in components and operation ids: `PaymentDemand`. */
export const recordName = (type: string): string => pascal(singular(type));

/** Name of one record in prose: `payment demand`. */
export const recordNouns = (type: string): string => singular(type).replaceAll('_', ' ');

export const words = (name: string): string => name.replaceAll('_', ' ');
