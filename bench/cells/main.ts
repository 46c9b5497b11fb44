import { readOptions } from '../../scripts/options.ts';
import { untilInterrupted } from '../interruption.ts';
import { machineOf } from '../machine.ts';
import { WARM_UP_SECONDS } from '../measure-rows.ts';
import { roundOptions } from '../options.ts';
import { measureConfirmed, nextConfirmed } from '../payment-rows.ts';
import { endStep, showStep } from '../progress.ts';
import { runCommand } from '../run-command.ts';
import { renderTable } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { createCells } from './cells.ts';
import { measureHop } from './hop.ts';
import { type CellsFigures, renderCells, renderHop, totalOf } from './render.ts';

const COUNTS = [1, 2, 4] as const;
const CONNECTIONS = 16;
/** Share of the full rate at which the others' latency is measured. */
const CALM = 0.25;

const { seconds: SECONDS, rounds: ROUNDS } = readOptions({
  command: 'npm run bench:cells',
  summary:
    'Measures confirmed payments with 1, 2 and 4 cells on this machine, and through a router, then kills the database of one cell.',
  options: roundOptions('number of cells'),
});

async function main(): Promise<void> {
  await using installation = await createCells();
  const cells: Testbed[] = [];
  const figures: CellsFigures[] = [];
  for (const count of COUNTS) {
    while (cells.length < count) {
      console.log(`Starting cell ${cells.length + 1}.`);
      cells.push(await installation.add());
    }
    if (count === 1) console.log(await machineOf(cells[0] as Testbed));
    figures.push({ count, rounds: await measureRounds(cells) });
    if (count === 1) await measureRouter(cells[0] as Testbed);
  }
  console.log(`\n${renderCells(figures)}`);
  await measureKill(cells, figures.at(-1) as CellsFigures, installation.killDatabase);
}

async function measureRouter(home: Testbed): Promise<void> {
  console.log('Measuring one cell directly, and through a router.');
  const durations = { seconds: SECONDS, rounds: ROUNDS, warm_up_seconds: WARM_UP_SECONDS };
  console.log(`\n${renderHop(await untilInterrupted(measureHop(home, durations)))}\n`);
}

async function measureRounds(cells: readonly Testbed[]) {
  showStep(`warm-up, cells: ${cells.length}`);
  await measureAll(cells, WARM_UP_SECONDS);
  endStep();
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const total = totalOf(await measureAll(cells, SECONDS));
    console.log(
      `cells: ${cells.length}, round ${round} of ${ROUNDS}: ${Math.round(total.per_second)} payments/s`,
    );
    rounds.push(total);
  }
  return rounds;
}

const measureAll = (cells: readonly Testbed[], seconds: number) =>
  untilInterrupted(Promise.all(cells.map((cell) => measureConfirmed(cell, seconds))));

/** Compares the latency of the other cells before and after the database of the last one is killed. */
async function measureKill(
  cells: readonly Testbed[],
  { rounds }: CellsFigures,
  killDatabase: (cell: Testbed) => void,
): Promise<void> {
  const [{ per_second = 0 } = {}] = rounds;
  const per_second_max = Math.max(1, Math.round((per_second * CALM) / cells.length));
  const before = await calmLoads(cells, per_second_max);
  killDatabase(cells.at(-1) as Testbed);
  const after = await calmLoads(cells, per_second_max);
  const lines = cells.map((_, at) => [
    at === cells.length - 1 ? `${at + 1}, database killed` : String(at + 1),
    ...[before, after].flatMap((loads) => {
      const { count = 0, refused = 0, p99_ms = 0 } = loads[at] ?? {};
      return [p99_ms.toFixed(1), `${refused} of ${count}`];
    }),
  ]);
  const headers = ['cell', 'p99 before, ms', 'refused', 'p99 after, ms', 'refused'];
  console.log(`\nCreates confirmed, ${per_second_max} a second in each cell:`);
  console.log(renderTable(headers, lines));
}

const calmLoads = (cells: readonly Testbed[], per_second_max: number) =>
  untilInterrupted(
    Promise.all(
      cells.map(async (cell) =>
        cell.load({
          next: await nextConfirmed(cell),
          connections: CONNECTIONS,
          seconds: SECONDS,
          per_second_max,
        }),
      ),
    ),
  );

await runCommand(main);
