import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { currencyRelationOf } from '../../parts/value/currency-of.ts';

/** Returns the parameter that includes the record with the currency, if the type needs it and the person may read it. */
export function useCurrencyInclude(type: ResourceType): Parameters {
  const registry = useRegistry();
  const can = useCan();
  const relation = currencyRelationOf(type);
  const to = relation && (registry[type] as Definition).relations[relation]?.to;
  return to && can(permissionSlug(registry[to as ResourceType], 'read'))
    ? { include: relation }
    : {};
}
