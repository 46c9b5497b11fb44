import type { Services } from '../../services.ts';

/** Makes a thing for each world when it is first asked for there, so that none works at two times. */
export function perWorld<T>(make: (services: Services) => T): (services: Services) => T {
  const made = new WeakMap<Services, { readonly thing: T }>();
  return (services) => {
    const known = made.get(services) ?? { thing: make(services) };
    made.set(services, known);
    return known.thing;
  };
}
