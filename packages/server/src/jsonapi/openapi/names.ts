const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Pascal case of a name: `payment_demands` → `PaymentDemands`. */
export const toPascalCase = (name: string): string => name.split('_').map(capitalise).join('');

/** Camel case of a name: `rotate_secret` → `rotateSecret`. */
export const toCamelCase = (name: string): string => name.charAt(0) + toPascalCase(name).slice(1);

/** Singular of a type's name: `legal_addresses` → `legal_address`, `memberships` → `membership`. */
const toSingular = (type: string): string =>
  type
    .replace(/(?<=ss)es$/, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '');

/** Name of one record of a type in components and operation ids: `PaymentDemand`. */
export const recordName = (type: string): string => toPascalCase(toSingular(type));

/** Name of one record in prose: `payment demand`. */
export const recordNouns = (type: string): string => toSingular(type).replaceAll('_', ' ');

export const toWords = (name: string): string => name.replaceAll('_', ' ');
