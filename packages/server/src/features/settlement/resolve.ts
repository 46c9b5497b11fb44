import { problem } from '@florin/contract/errors.ts';
import { settlementExceptionActions } from '@florin/contract/machines/settlement-exception.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { updaterOf } from '../records/plain.ts';
import { conditionsOf, type Decision, type UpdateItem } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';

/** `PATCH /v2/settlement_exceptions/{id}`: resolves a difference with an explanation. */
export function settlementExceptionBehaviour(services: Services): Behaviour {
  const model = services.models.get('settlement_exceptions');
  const update = updaterOf(services, model);
  return {
    async update(ctx, id, _input, columns) {
      const decide: UpdateItem['decide'] = (row, now, changedRow) =>
        decideResolution(row, changedRow, now);
      const row = await update({ ...conditionsOf(ctx, id), columns, decide });
      services.wake.deliver.raise();
      return row;
    },
  };
}

/** Throws 405 for a resolved exception, and 422 without an explanation. */
function decideResolution(row: Row, columns: Row, now: Micros): Decision {
  const state = row.status as keyof typeof settlementExceptionActions;
  const actions = settlementExceptionActions[state];
  if (!actions.includes('update')) {
    throw wrongState({ noun: 'settlement exception', state, actions }, 'update');
  }
  const { status, ...set } = columns;
  if (status !== 'resolved') return { set, events: [] };
  if (!{ ...row, ...set }.resolution_note?.trim()) {
    throw problem('blank', 'resolution_note is missing. Describe the cause and what was done.', {
      pointer: '/data/attributes/resolution_note',
    });
  }
  const resolved_at = instantText(now);
  return { trigger: 'resolve', set: { ...set, resolved_at }, events: ['resolved'] };
}
