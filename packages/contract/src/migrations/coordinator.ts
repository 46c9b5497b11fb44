import { MigrationRefusal } from './plan.ts';
import type { Session } from './session.ts';

/** Every node of Citus has this table, which all roles may read. Group 0 is the coordinator. */
const GROUP_TABLE = 'pg_catalog.pg_dist_local_group';
const COORDINATOR_GROUP = '0';

/**
 * Throws `MigrationRefusal` at a coordinator of Citus. There, transaction ids of one statement come from several nodes: the
 * horizon of the balances would be wrong without an error.
 */
export async function refuseCoordinator(tx: Session): Promise<void> {
  const [state] = await tx.query(
    `select (to_regclass('${GROUP_TABLE}') is not null)::text as has_citus`,
  );
  if (state?.has_citus !== 'true') return;
  const rows = await tx.query(`select groupid::text as group_id from ${GROUP_TABLE}`);
  if (!rows.some(({ group_id }) => group_id === COORDINATOR_GROUP)) return;
  throw new MigrationRefusal(
    'The address leads to the coordinator of Citus, where the ledger would go wrong. Set it to the worker that holds the schema, and synchronise the metadata of the workers (Citus 11 or newer does).',
  );
}
