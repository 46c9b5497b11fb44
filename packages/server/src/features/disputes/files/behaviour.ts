import type { Behaviour } from '../../../jsonapi/behaviour.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText } from '../../../platform/database/row-key.ts';
import { findRowsByKey } from '../../../platform/database/rows.ts';
import { lockRows, transition } from '../../../platform/database/transition.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { updaterOf } from '../../records/plain.ts';
import { conditionsOf, type Refuse } from '../../records/updater.ts';
import { requireAnswerable } from '../decide.ts';
import { decideFewer, decideRemoval } from './decide.ts';
import { deleteContents } from './sql.ts';

const TABLE = 'dispute_files';

/** Behaviour of files: merchants remove them until they submit the evidence. */
export function disputeFileBehaviour(services: Services): Behaviour {
  const remove = updaterOf(services, services.models.get(TABLE), {
    refuse: (tx, items) => refuseClosed(services, tx, items),
    followOnChanges: async (tx, changed, now) => {
      const files = changed.map(({ after }) => after);
      await deleteContents(tx, files.map(keyOf));
      for (const file of files) await countFewer(services, tx, file, now);
    },
  });
  return {
    actions: {
      remove: (ctx, id) => remove({ ...conditionsOf(ctx, id), decide: decideRemoval }),
    },
  };
}

const disputeOf = ({ merchant_id, dispute_id }: Row) => ({
  merchant_id: merchant_id as string,
  id: dispute_id as string,
});

/** Locks the disputes of files, so that no submission runs beside a removal. */
async function refuseClosed(
  { clock }: Services,
  tx: Db,
  items: Parameters<Refuse>[1],
): ReturnType<Refuse> {
  const keys = items.map(({ scope, id }) => ({ merchant_id: scope.merchant_id, id }));
  const files = new Map(
    (await findRowsByKey(tx, TABLE, keys)).map((file) => [keyText(file), file]),
  );
  const disputes = await lockRows(tx, 'disputes', [...files.values()].map(disputeOf));
  return new Map(
    items.flatMap((item) => {
      const file = files.get(keyText({ ...item.scope, id: item.id }));
      const dispute = file && disputes.get(keyText(disputeOf(file)));
      const error = dispute && file.removed_at == null && findRefusal(dispute, clock.now());
      return error ? [[item, error] as const] : [];
    }),
  );
}

function findRefusal(dispute: Row, now: Micros): Error | undefined {
  try {
    requireAnswerable(dispute, 'the removal of a file', now);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function countFewer({ catalog }: Services, tx: Db, file: Row, now: Micros): Promise<void> {
  const key = disputeOf(file);
  const before = (await lockRows(tx, 'disputes', [key])).get(keyText(key));
  if (!before) return;
  await transition(tx, catalog, { table: 'disputes', at: instantText(now) }, [
    { before, ...decideFewer(before) },
  ]);
}
