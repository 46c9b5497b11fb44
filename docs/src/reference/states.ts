import type { DescribedState } from '@florin/server/jsonapi/openapi/state-tables.ts';
import { markdownTable } from '../site/table.ts';
import { code } from './schema-text.ts';

/** States of a type's records; the initial state first. */
export type States = Readonly<Record<string, DescribedState>>;

/** The transitions and allowed operations of each state. */
export function stateSection(states: States | undefined): string {
  if (!states) return '';
  const [initialState = ''] = Object.keys(states);
  const rows = Object.entries(states).map(([state, { leads_to, allowed_actions }]) => [
    code(state),
    transitionText(leads_to),
    allowed_actions.map(code).join(' ') || 'none',
  ]);
  const table = markdownTable(['State', 'Trigger and next state', 'Allowed actions'], rows);
  return `## States

A record starts as ${code(initialState)}. The database refuses any transition that is not in this table.

${table}`;
}

const transitionText = (leads_to: DescribedState['leads_to']): string =>
  Object.entries(leads_to)
    .map(([trigger, state]) => `${code(trigger)} → ${code(state)}`)
    .join('<br>') || 'final';
