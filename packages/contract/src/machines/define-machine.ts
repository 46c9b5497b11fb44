/** A state machine as data: the target state of each trigger in each state. */
export interface Machine {
  readonly name: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, { readonly on: Readonly<Record<string, string>> }>>;
}

/** Declares a machine. Preserves the literal types of its states and triggers. */
export const defineMachine = <const M extends Machine>(machine: M): M => machine;

export type StateOf<M extends Machine> = keyof M['states'] & string;

type KeysOfUnion<T> = T extends T ? keyof T : never;
export type TriggerOf<M extends Machine> = KeysOfUnion<M['states'][keyof M['states']]['on']> &
  string;

/** State names in declaration order. */
export const statesOf = <M extends Machine>(machine: M): readonly StateOf<M>[] =>
  Object.keys(machine.states) as StateOf<M>[];

/** State after a trigger. Undefined if the state does not allow the trigger. */
export const nextState = (machine: Machine, state: string, trigger: string): string | undefined =>
  machine.states[state]?.on[trigger];

export const triggersFrom = (machine: Machine, state: string): readonly string[] =>
  Object.keys(machine.states[state]?.on ?? {});

/** Every allowed transition (from, to), without repeats. */
export function transitionsOf(machine: Machine): readonly (readonly [string, string])[] {
  const pairs = Object.entries(machine.states).flatMap(([from, { on }]) =>
    Object.values(on).map((to) => `${from}\n${to}`),
  );
  return [...new Set(pairs)].map((pair) => pair.split('\n') as [string, string]);
}
