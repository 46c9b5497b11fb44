import { stateTables } from '@florin/contract/machines/all.ts';
import { statesOf } from '@florin/contract/machines/define-machine.ts';
import type { Field } from '@florin/contract/resources/define-resource.ts';

const keyOf = (states: readonly string[]): string => states.toSorted().join(' ');

const machines = new Set(Object.values(stateTables).map(({ machine }) => keyOf(statesOf(machine))));

/** State fields without a state machine: people or the operator set them. */
const OTHERS: ReadonlySet<string> = new Set(['account_status']);

/** Whether a field contains a record's state, and not the state of an address. */
export const isState = (name: string, { values }: Field): boolean =>
  values !== undefined && (OTHERS.has(name) || machines.has(keyOf(values)));
