import { join, resolve } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { chooseSome } from '../choose.ts';
import { makeFolder } from '../folders.ts';
import { interruption, untilInterrupted } from '../interruption.ts';
import { machineOf } from '../machine.ts';
import { renderRounds } from '../measure-rows.ts';
import { roundOptions } from '../options.ts';
import { endStep, showStep } from '../progress.ts';
import { replaceFile } from '../results.ts';
import { runCommand } from '../run-command.ts';
import { createTestbed } from '../testbed.ts';
import { type Contender, florinOf, startPeer } from './contenders.ts';
import { installPeers } from './install.ts';
import { measureContenders } from './measure.ts';
import { type Peer, peers } from './peers.ts';
import { type PeerResult, renderPeers } from './render.ts';

const {
  only: chosen,
  folder: keptFolder,
  ...rounds
} = readOptions({
  command: 'npm run bench:peers',
  summary: 'Installs other programs into a temporary folder, and measures Florin beside them.',
  options: {
    ...roundOptions('request'),
    only: {
      default: '',
      description: 'only peers whose name contains this text',
      parse: chooseSome(peers, 'peer'),
    },
    folder: { default: '', description: 'folder that keeps the packages for the next run' },
  },
});

async function main(): Promise<void> {
  const folder = keptFolder ? resolve(keptFolder) : makeFolder('peers');
  await install(folder);
  await compare(folder);
}

async function install(folder: string): Promise<void> {
  console.log(`Installing these programs into ${folder} by npm, which takes a few minutes:`);
  for (const { packages } of chosen)
    console.log(
      `  ${Object.entries(packages)
        .map((entry) => entry.join(' '))
        .join(', ')}`,
    );
  const fate = keptFolder ? 'The folder stays' : 'The folder is removed at the end';
  console.log(`Florin does not depend on them. ${fate}.\n`);
  await installPeers(chosen, folder);
}

async function compare(folder: string): Promise<void> {
  await using testbed = await createTestbed();
  const machine = await machineOf(testbed);
  await using started = new AsyncDisposableStack();
  const start = async (peer: Peer) => started.use(await startPeer(testbed, peer, folder));
  const { running, failed } = await startAll(start);
  const measured = await measureContenders([florinOf(testbed), ...running], rounds, showStep);
  endStep();
  const results = [...measured, ...failed];
  replaceFile(join(import.meta.dirname, '..', 'peers.json'), { machine, ...rounds, results });
  console.log(`${machine}\n64 connections, ${renderRounds(rounds)}, medians.\n`);
  console.log(renderPeers(results));
}

/** Starts Florin's peers. A peer that does not start leaves a gap in the table. */
async function startAll(start: (peer: Peer) => Promise<Contender>) {
  const running: Contender[] = [];
  const failed: PeerResult[] = [];
  for (const peer of chosen) {
    showStep(`starting ${peer.name}`);
    try {
      running.push(await untilInterrupted(start(peer)));
    } catch (error) {
      interruption.throwIfAborted();
      const { name, keeps } = peer;
      failed.push({ name, keeps, creates: [], pages: [], error: (error as Error).message });
    }
  }
  return { running, failed };
}

await runCommand(main);
