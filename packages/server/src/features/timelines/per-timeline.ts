import type { Services } from '../../services.ts';

/** Creates a value per timeline on first use, so that no value is used at two times. */
export function perTimeline<T>(make: (services: Services) => T): (services: Services) => T {
  const things = new WeakMap<Services, { readonly thing: T }>();
  return (services) => {
    const entry = things.get(services) ?? { thing: make(services) };
    things.set(services, entry);
    return entry.thing;
  };
}
