import { lateApprovals } from '@florin/contract/late-approvals.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { checkRenewals } from '../../../../faults/checks/subscription-checks.ts';
import { planOf, scenarioKinds } from '../../../../faults/plan.ts';
import { renderReport, renderTable } from '../../../../faults/report.ts';
import { closeEnvironments, runSeeds } from '../../../../faults/run-seeds.ts';

const SEEDS = Array.from({ length: 3 }, (_, at) => at + 1);
/**
 * Kills the server while it serves and while it starts, at points that every run passes early; crashes PostgreSQL, and
 * suspends the vault. `npm run test:faults` runs other seeds, with all their scenarios.
 */
const RUN = { seed: 3336, scenarios: 4 };

afterAll(() => closeEnvironments());

describe('the plan of a fault run', () => {
  it('is a function of its seed alone', () => {
    expect(SEEDS.map(planOf)).toEqual(SEEDS.map(planOf));
    expect(planOf(1)).not.toEqual({ ...planOf(2), seed: 1 });
  });

  it('covers all actions of merchants and all faults over a few seeds', () => {
    const plans = SEEDS.map(planOf);
    const toSet = <T>(values: readonly T[]): Set<T> => new Set(values);
    expect(toSet(plans.flatMap(({ scenarios }) => scenarios.map(({ kind }) => kind)))).toEqual(
      new Set(scenarioKinds),
    );
    expect(toSet(plans.flatMap(({ database }) => database.map(({ kind }) => kind)))).toEqual(
      new Set(['lose', 'cut', 'crash']),
    );
    const plannedFaults = toSet(
      plans.flatMap(({ messageFaults }) => [...messageFaults.values()].flat()),
    );
    expect([...plannedFaults]).toEqual(
      expect.arrayContaining(['lose_answer', 'reset', 'garbage', 'duplicate']),
    );
    expect(toSet(plans.map(({ latePolicy }) => latePolicy))).toEqual(new Set(lateApprovals));
    const killedParts = plans.flatMap(({ kills }) =>
      Object.entries(kills).flatMap(([part, partKills]) => (partKills.length > 0 ? [part] : [])),
    );
    expect(toSet(killedParts)).toEqual(new Set(['server', 'vault', 'simulator']));
    const killPoints = toSet(plans.map(({ kills }) => kills.server[0]?.point));
    expect(killPoints.size).toBe(SEEDS.length);
  });
});

describe('the check of renewals', () => {
  const subscription = {
    id: 's',
    payer_id: 'c',
    status: 'active',
    next_billing_at: '2026-02-03 00:00:00+00',
  };
  const makePeriod = (day: number, charge: string | null) => ({
    id: `period ${day}`,
    payment_subscription_id: 's',
    payment_demand_id: charge,
    start_at: `2026-02-0${day} 00:00:00+00`,
    end_at: `2026-02-0${day + 1} 00:00:00+00`,
  });
  const clock = { customer_id: 'c', reached_at: '2026-02-02 12:00:00.5+00' };
  const checkRenewalsOf = (periods: object[], clockRow = clock) =>
    checkRenewals({
      records: { subscriptions: [subscription], periods, clocks: [clockRow] } as never,
    });

  it.each<[string, object[], number, typeof clock?]>([
    ['periods that are charged each', [makePeriod(1, 'a'), makePeriod(2, 'b')], 0],
    ['a period that is lost', [makePeriod(0, 'a'), makePeriod(2, 'b')], 1],
    ['two periods with one charge', [makePeriod(1, 'a'), makePeriod(2, 'a')], 1],
    ['a period without a charge', [makePeriod(1, 'a'), makePeriod(2, null)], 1],
    ['a renewal that did not come', [makePeriod(1, 'a')], 1],
    [
      'a clock that is beyond the last period',
      [makePeriod(1, 'a'), makePeriod(2, 'b')],
      1,
      { ...clock, reached_at: '2026-02-03 12:00:00+00' },
    ],
  ])('of %s finds all seeded faults', (_title, periods, count, clockRow) => {
    expect(checkRenewalsOf(periods, clockRow)).toHaveLength(count);
  });
});

it('a run with kills, cuts and faulty messages loses nothing, doubles nothing and leaves nothing open', async () => {
  const reports = await runSeeds([RUN.seed], () => {}, RUN.scenarios);
  const failedReports = reports.filter(({ differences }) => differences.length > 0);
  expect(failedReports.map(renderReport), renderTable(reports)).toEqual([]);
  const kills = reports.reduce((sum, { counts }) => sum + (counts.kills ?? 0), 0);
  expect(kills, renderTable(reports)).toBeGreaterThan(0);
}, 900_000);
