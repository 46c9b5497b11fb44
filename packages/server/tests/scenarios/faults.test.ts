import { lateApprovals } from '@florin/contract/late-approvals.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { planOf, storyKinds } from '../../../../faults/plan.ts';
import { renderReport, renderTable } from '../../../../faults/report.ts';
import { closeLanes, runSeeds } from '../../../../faults/run-seeds.ts';

const SEEDS = Array.from({ length: 3 }, (_, at) => at + 1);

afterAll(() => closeLanes());

describe('the plan of a fault run', () => {
  it('is a function of its seed alone', () => {
    expect(SEEDS.map(planOf)).toEqual(SEEDS.map(planOf));
    expect(planOf(1)).not.toEqual({ ...planOf(2), seed: 1 });
  });

  it('comes, over a few seeds, to everything that a merchant does and every fault', () => {
    const plans = SEEDS.map(planOf);
    const found = <T>(things: readonly T[]): Set<T> => new Set(things);
    expect(found(plans.flatMap(({ stories }) => stories.map(({ kind }) => kind)))).toEqual(
      new Set(storyKinds),
    );
    expect(found(plans.flatMap(({ database }) => database.map(({ what }) => what)))).toEqual(
      new Set(['lose', 'cut', 'crash']),
    );
    const slips = found(plans.flatMap(({ messages }) => [...messages.values()].flat()));
    expect([...slips]).toEqual(
      expect.arrayContaining(['lose_answer', 'reset', 'garbage', 'duplicate']),
    );
    expect(found(plans.map(({ late }) => late))).toEqual(new Set(lateApprovals));
    const ended = plans.flatMap(({ kills }) =>
      Object.entries(kills).flatMap(([part, ends]) => (ends.length > 0 ? [part] : [])),
    );
    expect(found(ended)).toEqual(new Set(['server', 'vault', 'simulator']));
    const places = found(plans.map(({ kills }) => kills.server[0]?.place));
    expect(places.size).toBe(SEEDS.length);
  });
});

it('some runs with kills, cuts and faulty messages lose, double and leave open nothing', async () => {
  const reports = await runSeeds(SEEDS, () => {});
  const failed = reports.filter(({ differences }) => differences.length > 0);
  expect(failed.map(renderReport), renderTable(reports)).toEqual([]);
  const kills = reports.reduce((sum, { counts }) => sum + (counts.kills ?? 0), 0);
  expect(kills).toBeGreaterThan(0);
}, 900_000);
