import { stateTableOf } from '@florin/contract/machines/all.ts';
import { triggersFrom } from '@florin/contract/machines/define-machine.ts';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { toRecord } from './schema.ts';

/** A state of a type's records. */
export interface DescribedState {
  /** Next states by trigger. */
  readonly leads_to: Readonly<Record<string, string>>;
  /** Allowed operations: `update`, actions of the record, or the follow-up that is created for it. */
  readonly allowed_actions: readonly string[];
}

/** States of a type's records, initial state first; undefined for types without states. */
export function describeStates(
  resource: Resource,
): Readonly<Record<string, DescribedState>> | undefined {
  const table = stateTableOf(resource.table ?? resource.type);
  if (!table) return undefined;
  const { machine, actions } = table;
  return toRecord(Object.entries(machine.states), ([state, { on }]) => [
    state,
    {
      leads_to: on,
      allowed_actions: actions?.[state] ?? actionsFrom(resource, triggersFrom(machine, state)),
    },
  ]);
}

/** Actions allowed in a state. An update also changes the state where clients may set it. */
const actionsFrom = (
  { fields, actions = {} }: Resource,
  triggers: readonly string[],
): readonly string[] => [
  ...(fields.status?.update && triggers.length > 0 ? ['update'] : []),
  ...triggers.filter((trigger) => trigger in actions),
];
