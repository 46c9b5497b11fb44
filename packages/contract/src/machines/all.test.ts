import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Resource } from '../resources/define-resource.ts';
import { resources } from '../resources/index.ts';
import { type StateTable, stateTables } from './all.ts';
import { statesOf, transitionsOf, triggersFrom } from './define-machine.ts';

const byTable = new Map(
  Object.values<Resource>(resources).map((resource) => [resource.table ?? resource.type, resource]),
);
const resourceOf = (table: string): Resource => byTable.get(table) as Resource;
const tables = Object.entries<StateTable>(stateTables);

it('lists every machine', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  const machineFiles = files.filter((name) => !['all.ts', 'define-machine.ts'].includes(name));
  const machines = new Set(tables.map(([, { machine }]) => machine));
  expect([...machines].map(({ name }) => `${name.replaceAll('_', '-')}.ts`).toSorted()).toEqual(
    machineFiles.toSorted(),
  );
});

describe.each(tables)('the states of %s', (_table, { machine }) => {
  const states: readonly string[] = statesOf(machine);
  /** States that the given state reaches in any number of steps, and the state itself. */
  const reachableFrom = (state: string): Set<string> => {
    const reached = new Set([state]);
    for (const from of reached) {
      for (const [source, to] of transitionsOf(machine)) if (source === from) reached.add(to);
    }
    return reached;
  };

  it('are all reachable from the initial state', () => {
    expect(states[0]).toBe(machine.initial);
    expect([...reachableFrom(machine.initial)].toSorted()).toEqual(states.toSorted());
  });

  it('can be left if they accept any trigger', () => {
    const finalStates = states.filter(
      (state) => triggersFrom(machine, state).length > 0 && reachableFrom(state).size === 1,
    );
    expect(finalStates).toEqual([]);
  });

  it('lead only to declared states', () => {
    const transitionStates = transitionsOf(machine).flat();
    expect(
      [machine.initial, ...transitionStates].filter((state) => !states.includes(state)),
    ).toEqual([]);
  });
});

const resourceTables = tables.filter(([table]) => byTable.has(table));

it.each(resourceTables)('the states of %s are the values of its status', (table, { machine }) => {
  expect(resourceOf(table).fields.status?.values).toEqual(statesOf(machine));
});

const actionTables = resourceTables.filter(([, { actions }]) => actions);

it.each(actionTables)(
  'the states of %s allow what the type has: its own actions, updates and follow-ups',
  (table, { machine, actions = {} }) => {
    expect(Object.keys(actions)).toEqual(statesOf(machine));
    const types = Object.keys(resources);
    const unknownActions = Object.values(actions)
      .flat()
      .filter((action) => action !== 'update' && !(action in (resourceOf(table).actions ?? {})))
      .filter((action) => !types.includes(`${action}_demands`));
    expect(unknownActions).toEqual([]);
  },
);
