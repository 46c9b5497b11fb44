import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Account } from '@florin/cli/postgres/account.ts';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { accepts } from '../support/port.ts';

const STOP_LIMIT_MS = 30_000;
/** Lines of the log that an error quotes. */
const QUOTED_LINES = 5;

export interface ProgramOptions {
  /** Name for errors, such as `etcd of db1`. */
  readonly title: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Path of the file to which its output is added. */
  readonly log: string;
  readonly account: Account | undefined;
}

/** A program that ends with this process, also when this one is killed. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Waits until the program accepts connections. Throws with the end of its log. */
  waitForPort(port: number, limit_ms: number): Promise<void>;
  /** Waits for the end of the program. */
  ended(): Promise<void>;
}

export function startProgram(options: ProgramOptions): Program {
  const child = spawn('setpriv', [...privileges(options), options.file, ...options.args], {
    cwd: '/',
    env: bareEnv({ LC_ALL: 'C.UTF-8' }),
    stdio: logTo(options.log),
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = async (): Promise<void> => {
    if (!hasEnded()) await once(child, 'exit');
  };
  return {
    pid: child.pid as number,
    ended,
    async waitForPort(port, limit_ms) {
      if ((await accepts(port, limit_ms, hasEnded)) && !hasEnded()) return;
      throw new Error(`${options.title} does not listen on port ${port}:\n${endOf(options.log)}`);
    },
    [Symbol.asyncDispose]: () => stop(child, ended),
  };
}

const privileges = ({ account }: ProgramOptions): string[] => [
  '--pdeathsig=TERM',
  ...(account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []),
];

function logTo(path: string): ['ignore', number, number] {
  const log = openSync(path, 'a');
  setImmediate(() => closeSync(log));
  return ['ignore', log, log];
}

const endOf = (log: string): string =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-QUOTED_LINES).join('\n');

async function stop(child: ChildProcess, ended: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  await ended();
  clearTimeout(timer);
}
