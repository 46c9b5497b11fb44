import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { childCommands, commandOf, identityOf } from '../kernel/process-identity.ts';
import { readForeign } from '../kernel/read-foreign.ts';

/** Content of `postmaster.pid`, which a running server writes. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketDirectory: string;
  readonly ready: boolean;
  /** Whether somebody has asked the server to stop. */
  readonly stopping: boolean;
}

const LINE = { pid: 0, socketDirectory: 4, status: 7 };

/** Parses `postmaster.pid`; undefined if it is incomplete. */
export function parsePostmaster(text: string): PostmasterFile | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[LINE.pid]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const socketDirectory = lines[LINE.socketDirectory] ?? '';
  const status = lines[LINE.status];
  return { pid, socketDirectory, ready: status === 'ready', stopping: status === 'stopping' };
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Returns the running server of this cluster, including a server that another process started. */
export function livePostmaster(cluster: string): PostmasterFile | undefined {
  const recordedServer = recordedPostmaster(cluster);
  return recordedServer && isPostmasterOf(recordedServer.pid, cluster) ? recordedServer : undefined;
}

function recordedPostmaster(cluster: string): PostmasterFile | undefined {
  try {
    return parsePostmaster(readForeign(pidFile(cluster)));
  } catch {
    return undefined;
  }
}

function isPostmasterOf(pid: number, cluster: string): boolean {
  return identityOf(pid) !== undefined && (commandOf(pid) ?? '').includes(cluster);
}

/**
 * Whether these processes belong to a server that serves or recovers. While it serves, it always has a process that
 * writes the log; while it recovers, one that replays it.
 */
export const isWorking = (commands: readonly string[]): boolean =>
  commands.some((command) => /^postgres: .*\b(?:walwriter|startup)\b/.test(command));

/**
 * Whether the running server of this cluster neither serves, recovers nor stops, as between a crash and its recovery.
 * False where the system does not list processes.
 */
export function isIdle(cluster: string): boolean {
  const server = livePostmaster(cluster);
  if (!server || server.stopping) return false;
  const commands = childCommands(server.pid);
  return commands !== undefined && commands.length > 0 && !isWorking(commands);
}

/** Returns a function that looks again, and returns the milliseconds for which it has seen nothing but idleness. */
export function measureIdle(isIdleNow: () => boolean): () => number {
  let since: number | undefined;
  return () => {
    since = isIdleNow() ? (since ?? performance.now()) : undefined;
    return since === undefined ? 0 : performance.now() - since;
  };
}

/**
 * After a power cut another process may have the recorded pid, and PostgreSQL would refuse to start. The file is
 * removed only after a reboot, when no server can remain.
 */
export async function removeNoteFromBeforeBoot(cluster: string): Promise<void> {
  const recordedServer = recordedPostmaster(cluster);
  if (
    !recordedServer ||
    identityOf(recordedServer.pid) === undefined ||
    isPostmasterOf(recordedServer.pid, cluster)
  )
    return;
  const booted_ms = Date.now() - uptime() * 1000;
  if (statSync(pidFile(cluster)).mtimeMs < booted_ms) await rm(pidFile(cluster));
}
