import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { interruption } from '../interruption.ts';
import type { Peer } from './peers.ts';

const PROGRAMS = join(import.meta.dirname, 'programs');

/** Installs the packages of the peers into a folder outside the project, with their programs beside them. */
export async function installPeers(peers: readonly Peer[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOf(peers), null, 2));
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const env = inheritedEnv();
  const installation = promisify(execFile)('npm', ['install', ...options], { cwd: folder, env });
  interruption.addEventListener('abort', () => installation.child.kill());
  await installation;
  cpSync(PROGRAMS, folder, { recursive: true });
}

/** Fortune asks for a PostgreSQL client that does not run on today's Node. */
const OVERRIDES = { 'fortune-postgres': { pg: '$pg' } };

/** The `package.json` of the folder. */
export function manifestOf(peers: readonly Peer[]): object {
  const dependencies = Object.assign({}, ...peers.map(({ packages }) => packages));
  return {
    name: 'florin-bench-peers',
    private: true,
    type: 'module',
    dependencies,
    ...('pg' in dependencies && { overrides: OVERRIDES }),
  };
}
