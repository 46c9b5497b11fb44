import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { expect, it } from 'vitest';
import { uncheckedTables } from '../../src/features/ledger/sql/orphan-check.ts';
import { resetReferences } from '../../src/features/sandbox/sql/sandbox-rows.ts';
import { openDatabase } from '../../src/platform/database/db.ts';

it('a sandbox reset knows every reference to the records that it deletes', async () => {
  await using database = await cloneDatabase();
  await using db = openDatabase({ url: database.url, connections_max: 1 });
  const keys = await db.query(
    `select confrelid::regclass::text as referenced, conrelid::regclass::text as referencing,
       (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[array_upper(conkey, 1)]) as column
     from pg_constraint where contype = 'f' and confrelid::regclass::text = any ($1::text[])`,
    [Object.keys(resetReferences)],
  );
  const unchecked = uncheckedTables.flatMap(({ table, references }) =>
    references.map(({ target, column }) => ({ referenced: target, referencing: table, column })),
  );
  const references = [
    ...keys,
    ...unchecked.filter(({ referenced }) => referenced in resetReferences),
  ];
  const isKnown = ({ referenced, referencing, column }: (typeof references)[number]): boolean =>
    (resetReferences[referenced as string] ?? []).some(
      ([table, pointer]) => table === referencing && pointer === column,
    );
  expect(references.length).toBeGreaterThan(30);
  // Add a missing reference to `pointers` or `parts` of its kind. Without it, the reset never ends.
  expect(references.filter((reference) => !isKnown(reference))).toEqual([]);
});
