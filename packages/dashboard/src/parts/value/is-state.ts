import { stateTables } from '@florin/contract/machines/all.ts';
import { statesOf } from '@florin/contract/machines/define-machine.ts';
import type { Field } from '@florin/contract/resources/define-resource.ts';

const keyOf = (states: readonly string[]): string => states.toSorted().join(' ');

const machines = new Set(Object.values(stateTables).map(({ machine }) => keyOf(statesOf(machine))));

/** Fields whose states change by other rules than a machine: what people do, and what the operator has decided. */
const OTHERS: ReadonlySet<string> = new Set(['account_status']);

/** Whether a field has the states of a record: those of a machine, and not the state of an address. */
export const isState = (name: string, { values }: Field): boolean =>
  values !== undefined && (OTHERS.has(name) || machines.has(keyOf(values)));
