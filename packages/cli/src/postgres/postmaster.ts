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
}

const LINE = { pid: 0, socketDirectory: 4, status: 7 };

/** Parses `postmaster.pid`; undefined if it is incomplete. */
export function parsePostmaster(text: string): PostmasterFile | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[LINE.pid]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const socketDirectory = lines[LINE.socketDirectory] ?? '';
  return { pid, socketDirectory, ready: lines[LINE.status] === 'ready' };
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
 * Whether the running server of this cluster neither serves nor recovers, as between a crash and its recovery, and
 * while it stops. False where the system does not list processes.
 */
export function isIdle(cluster: string): boolean {
  const commands = childCommands(livePostmaster(cluster)?.pid ?? 0);
  return commands !== undefined && commands.length > 0 && !isWorking(commands);
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
