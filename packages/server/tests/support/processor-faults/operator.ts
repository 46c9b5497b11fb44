import type { Row } from '../../../src/platform/database/row.ts';
import type { StandInStack } from '../stand-in-stack.ts';
import type { StandInBooks } from './books.ts';

/** Attempts whose outcome an operator finds out. */
const selectItems = ({ db }: StandInStack): Promise<Row[]> =>
  db.query(
    `select merchant_id, mode, id, operation, authorisation_id,
       coalesce(capture_demand_id, refund_demand_id) as demand_id
     from attempts where status in ('unknown', 'reversing') and due_at is null`,
    [],
  );

/**
 * Does what the runbook tells an operator: looks each listed attempt up at the processor, cancels what is authorised
 * there, and closes the others. Returns how many items there were.
 */
export async function actAsOperator(stack: StandInStack & StandInBooks): Promise<number> {
  const items = await selectItems(stack);
  for (const item of items) await handleItem(stack, item);
  return items.length;
}

async function handleItem(stack: StandInStack & StandInBooks, item: Row): Promise<void> {
  const { merchant_id, mode, id, operation, authorisation_id, demand_id } = item;
  const path = `/merchants/${merchant_id}/${mode}/unknown_outcomes/${id}`;
  const post = async (action: string, body: object) => {
    const { status } = await stack.operator.send('POST', `${path}/${action}`, body);
    if (status !== 204 && status !== 405) throw new Error(`${path}/${action}: ${status}`);
  };
  const close = (outcome: string) => post('close', { reason: 'Looked up', outcome });
  if (operation === 'authorise') {
    const payments = await stack.bookedPaymentsOf(id as string);
    const isCharging = payments.some(
      ({ held, captured, refunded }) => held > 0 || captured > refunded,
    );
    return isCharging ? post('ask', {}) : close('failed');
  }
  const hasExecuted = await stack.hasExecuted({
    operation: operation as string,
    authorisation_id: authorisation_id as string,
    demand_id: demand_id as string,
  });
  if (hasExecuted !== undefined) await close(hasExecuted ? 'succeeded' : 'failed');
}
