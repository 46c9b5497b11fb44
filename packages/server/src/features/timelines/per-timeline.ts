import type { Services } from '../../services.ts';

/** Creates a value per timeline on first use, so that no value is used at two times. */
export function perTimeline<T>(createValue: (services: Services) => T): (services: Services) => T {
  const valuesByServices = new WeakMap<Services, { readonly value: T }>();
  return (services) => {
    const entry = valuesByServices.get(services) ?? { value: createValue(services) };
    valuesByServices.set(services, entry);
    return entry.value;
  };
}
