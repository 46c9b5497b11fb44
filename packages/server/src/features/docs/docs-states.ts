import type { DescribedState } from '../../jsonapi/openapi/state-tables.ts';
import { renderTable } from './docs-table.ts';
import { renderCode } from './docs-text.ts';

/** States of a type's records; the initial state first. */
export type States = Readonly<Record<string, DescribedState>>;

/** Renders the transitions and allowed operations of each state. */
export function renderStates(type: string, states: States | undefined): string {
  if (!states) return '';
  const [initialState = ''] = Object.keys(states);
  const rows = Object.entries(states).map(([state, { leads_to, allowed_actions }]) => ({
    id: `${type}.state.${state}`,
    cells: [
      renderCode(state),
      transitionLinksOf(leads_to),
      allowed_actions.map(renderCode).join(' ') || 'nothing',
    ],
  }));
  return `<h3>States</h3>
<p>A record begins as ${renderCode(initialState)}. No other change of its state happens, and the database refuses any other.</p>
${renderTable(['State', 'What leads to which', 'What can be asked for'], rows)}`;
}

const transitionLinksOf = (leads_to: DescribedState['leads_to']): string =>
  Object.entries(leads_to)
    .map(([trigger, state]) => `${renderCode(trigger)} → ${renderCode(state)}`)
    .join('<br>') || 'final';
