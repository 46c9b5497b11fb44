import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { machineOf } from '../machine.ts';
import { replaceFile } from '../results.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { type Contender, florinOf, startPeer } from './contenders.ts';
import { installPeers } from './install.ts';
import { measureContenders } from './measure.ts';
import { type Peer, peers } from './peers.ts';
import { type PeerResult, renderPeers } from './render.ts';

const options = readOptions({
  command: 'npm run bench:peers',
  summary: 'Installs other programs into a temporary folder, and measures Florin beside them.',
  options: {
    seconds: { default: '5', description: 'seconds to measure each request in a round' },
    rounds: { default: '3', description: 'number of measurements of each request' },
    only: { default: '', description: 'only peers whose name contains this text' },
    folder: { default: '', description: 'folder that keeps the packages for the next run' },
  },
});
const rounds = { rounds: Number(options.rounds), seconds: Number(options.seconds) };

async function main(): Promise<void> {
  const chosen = peers.filter(({ name }) => name.includes(options.only));
  const folder = options.folder
    ? resolve(options.folder)
    : mkdtempSync(join(tmpdir(), 'florin-peers-'));
  try {
    await install(chosen, folder);
    await compare(chosen, folder);
  } finally {
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  }
}

async function install(chosen: readonly Peer[], folder: string): Promise<void> {
  console.log(`Installing these programs into ${folder} by npm, which takes a few minutes:`);
  for (const { packages } of chosen)
    console.log(
      `  ${Object.entries(packages)
        .map((entry) => entry.join(' '))
        .join(', ')}`,
    );
  const fate = options.folder ? 'The folder stays' : 'The folder is removed at the end';
  console.log(`Florin does not depend on them. ${fate}.\n`);
  await installPeers(chosen, folder);
}

async function compare(chosen: readonly Peer[], folder: string): Promise<void> {
  await using testbed = await createTestbed();
  const machine = await machineOf(testbed);
  const { running, failed } = await startAll(testbed, chosen, folder);
  await using stack = new AsyncDisposableStack();
  for (const contender of running) stack.use(contender);
  const measured = await measureContenders(running, rounds, showStage);
  const results = [...measured, ...failed];
  replaceFile(join(import.meta.dirname, '..', 'peers.json'), { machine, ...rounds, results });
  showStage('');
  console.log(
    `${machine}\n64 connections, ${rounds.rounds} rounds of ${rounds.seconds} s, medians.\n`,
  );
  console.log(renderPeers(results));
}

const showStage = (text: string): void =>
  void (process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`));

/** Starts Florin's peers. A peer that does not start leaves a gap in the table. */
async function startAll(testbed: Testbed, chosen: readonly Peer[], folder: string) {
  const running: Contender[] = [florinOf(testbed)];
  const failed: PeerResult[] = [];
  for (const peer of chosen) {
    showStage(`starting ${peer.name}`);
    try {
      running.push(await startPeer(testbed, peer, folder));
    } catch (error) {
      const { name, keeps } = peer;
      failed.push({ name, keeps, creates: [], pages: [], error: (error as Error).message });
    }
  }
  return { running, failed };
}

await main();
