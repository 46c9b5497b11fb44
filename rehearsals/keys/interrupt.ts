import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { FLORIN_MAIN } from '../support/command.ts';
import { signalAll } from '../support/process-tree.ts';

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

const POLL_MS = 20;
const LIMIT_MS = 60_000;

export interface Interruption {
  readonly adminUrl: string;
  /** Statement that locks what the middle of the command needs. */
  readonly lock: string;
  /** Pattern of the statement that then waits. Payments may wait too. */
  readonly waiting: string;
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** Kills a process in the middle. The command leads a process group: see `killGroup`. */
  readonly kill: (command: ChildProcess) => void;
}

/**
 * Runs a command of Florin until it waits for a lock in its middle, kills a process there, and releases the lock.
 * Returns what the command printed, if it ended by itself.
 */
export async function interrupt(options: Interruption): Promise<string> {
  const { adminUrl, lock, waiting, env, words, kill } = options;
  return withClient(adminUrl, async (client) => {
    await client.query('begin');
    await client.query(lock);
    const command = spawn(process.execPath, [FLORIN_MAIN, ...words], {
      env: { ...inheritedEnv(), ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed: string[] = [];
    command.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    command.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    const ended = once(command, 'close');
    try {
      await waitUntilBlocked(client, waiting, command);
      kill(command);
      await client.query('rollback');
      await ended;
    } catch (error) {
      killGroup(command);
      throw new Error(`florin ${words.join(' ')}: ${error} ${printed.join('')}`, { cause: error });
    }
    return printed.join('').trim();
  });
}

/** Kills a detached command with all that it started. */
export function killGroup({ pid }: ChildProcess): void {
  if (!pid) throw new Error('The command did not start.');
  signalAll([-pid], 'SIGKILL');
}

async function waitUntilBlocked(
  client: Client,
  waiting: string,
  command: ChildProcess,
): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    // A transaction sees the statements of its first look otherwise.
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (select from pg_stat_activity where query like $1
         and pg_backend_pid() = any(pg_blocking_pids(pid))) waits`,
      [waiting],
    );
    if (rows[0]?.waits) return;
    if (command.exitCode !== null) throw new Error('The command ended before its middle.');
    if (performance.now() > deadline) throw new Error('The command did not reach its middle.');
    await sleep(POLL_MS);
  }
}
