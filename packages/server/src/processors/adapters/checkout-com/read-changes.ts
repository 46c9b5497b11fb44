import type { AuthorisationChange, ChangesResult } from '../../port/changes.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import { fromProcessorUnits } from '../../port/minor-units.ts';
import { itemsOf, type Members, membersOf, textOf, unknownResult } from '../../port/read-answer.ts';
import { checkoutExponents } from './metadata.ts';
import { unclear } from './read-answer.ts';
import { idOfReference, isShortReference } from './reference.ts';

const kinds: Readonly<Record<string, AuthorisationChange['kind']>> = {
  Capture: 'capture',
  Refund: 'refund',
  Void: 'release',
};

/** Reads the actions of a payment, which come newest first or oldest first. */
export function toChanges(answer: WireAnswer, currency: string): ChangesResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const actions = itemsOf(answer.body);
  if (answer.status !== 200 || actions.length === 0) return unclear(answer);
  const changes = actions
    .toSorted((a, b) => String(a.processed_on).localeCompare(String(b.processed_on)))
    .filter(({ type, approved }) => Object.hasOwn(kinds, String(type)) && approved !== false)
    .map((action) => changeOf(action, currency));
  return changes.every((change) => change !== undefined)
    ? { result: 'changes', changes: changes as readonly AuthorisationChange[] }
    : unknownResult('Checkout.com sent an action that cannot be read.');
}

/** Undefined for an amount that cannot be read. */
function changeOf(action: Members, currency: string): AuthorisationChange | undefined {
  const kind = kinds[String(action.type)] as AuthorisationChange['kind'];
  const { amount: units, reference } = action;
  const amount =
    typeof units === 'number'
      ? fromProcessorUnits({ amount: units, currency }, checkoutExponents)
      : undefined;
  if (amount === undefined && kind !== 'release') return undefined;
  const { final } = membersOf(action.metadata);
  const text = textOf(reference);
  return {
    kind,
    ...(amount !== undefined && { amount }),
    ...(text && isShortReference(text) && { demand_id: idOfReference(text) }),
    ...((final === 'true' || final === 'false') && { final: final === 'true' }),
    is_pending: action.approved !== true,
  };
}
