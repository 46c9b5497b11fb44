import { expect, it } from 'vitest';
import { type AppliedMigration, type History, MigrationRefusal, planOf } from './plan.ts';

const history: History = {
  files: [{ name: '0001-one', sql: '', checksum: 'a', phase: 'expand' }],
  removed: {},
  adoption: { through: '', facts: async () => [] },
};
const own: AppliedMigration = { name: '0001-one', checksum: 'a', phase: 'expand' };
const newer = (phase: string | null): AppliedMigration => ({
  name: '0002-two',
  checksum: 'b',
  phase,
});

it.each([
  ['starts on', 'expand', [own], true, ['0002-two']],
  ['does not migrate', 'expand', [own], false, undefined],
  ['does not start on', 'contract', [own], true, undefined],
  ['does not start, without a phase, on', null, [own], true, undefined],
  ['does not start, while a migration of its own is pending, on', 'expand', [], true, undefined],
])('a release %s the schema of a newer one (%s)', (_what, phase, known, runs_on_newer, names) => {
  const plan = () => planOf([...known, newer(phase)], history, { runs_on_newer });
  if (names) expect(plan().newer).toEqual(names);
  else {
    expect(plan).toThrow(MigrationRefusal);
    expect(plan).toThrow(/made by a newer Florin \(it has 0002-two\)\. Run the release/);
  }
});
