import type { Access } from '@florin/contract/permissions.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import type { Resource, ResourceType } from '../../api/types.ts';

export interface OfferedAction {
  readonly name: string;
  readonly kind: 'update' | 'action' | 'follow_up';
  /** Type whose permission the action needs. */
  readonly on: ResourceType;
  readonly access: Access;
}

/** Actions of a payment that create another record. */
const followUps: Readonly<Record<string, ResourceType>> = {
  refund: 'refund_demands',
  capture: 'capture_demands',
};

/** Returns the actions that a record lists. If a record lists none, returns all actions of its type. */
export function offeredActions(definition: Definition, record: Resource): readonly OfferedAction[] {
  const actions = [
    ...(definition.operations.includes('update') ? ['update'] : []),
    ...Object.keys(definition.actions ?? {}),
  ];
  const named = record.meta?.allowed_actions;
  return (named ?? actions).flatMap((name): OfferedAction[] => {
    const followUp = followUps[name];
    if (followUp) return [{ name, kind: 'follow_up', on: followUp, access: 'create' }];
    if (!actions.includes(name)) return [];
    const kind = name === 'update' ? 'update' : 'action';
    return [{ name, kind, on: record.type, access: 'update' }];
  });
}
