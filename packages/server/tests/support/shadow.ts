import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import type { Database } from '../../src/platform/database/db.ts';

const PASSES_MAX = 10;
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Copies every sandbox record of a merchant into its live mode with new ids, so that both modes have records
 * of all types.
 */
export async function shadowInLive(db: Database, merchant_id: string): Promise<void> {
  const left = new Set(Object.values<Resource>(resources).filter(({ owner }) => owner === 'mode'));
  for (let pass = 0; left.size > 0; pass++) {
    for (const resource of left) {
      if (await copied(db, resource, merchant_id, pass === PASSES_MAX)) left.delete(resource);
    }
  }
}

/** Copies the rows and returns true. A row that references one without a copy waits for a later pass. */
async function copied(
  db: Database,
  resource: Resource,
  merchant_id: string,
  last: boolean,
): Promise<boolean> {
  try {
    await copy(db, resource, merchant_id);
    return true;
  } catch (error) {
    if (last || (error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    return false;
  }
}

/** SQL that maps each id to a different one, always the same. */
const turned = (column: string): string =>
  `(left(t.${column}::text, 24) || translate(right(t.${column}::text, 12), '0123456789abcdef', '56789abcdef01234'))::uuid`;

async function copy(db: Database, resource: Resource, merchant_id: string): Promise<void> {
  const { type, table = type } = resource;
  const columns = await db.query(
    `select column_name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ column_name }) => column_name as string);
  const ids = new Set(['id', 'source_id', 'subject_id', 'resource_id', ...modePointers(resource)]);
  const values = names.map((name) => {
    if (name === 'mode') return `'live'`;
    if (name === 'token_hash') return 'sha256(t.token_hash)';
    if (type === 'payment_links' && name === 'code') return 'reverse(t.code)';
    return ids.has(name) ? turned(name) : `t.${name}`;
  });
  await db.query(
    `insert into ${table} (${names}) select ${values} from ${table} t
     where t.merchant_id = $1 and t.mode = 'sandbox'`,
    [merchant_id],
  );
}

/** Foreign keys to rows that have a mode. */
const modePointers = ({ relations }: Resource): string[] =>
  Object.entries(relations)
    .filter(([, { many, to }]) => !many && resources[to as ResourceType].owner === 'mode')
    .map(([name]) => `${name}_id`);
