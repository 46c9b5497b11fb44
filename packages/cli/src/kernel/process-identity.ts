import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Indexes of fields in /proc/<pid>/stat after the command name: its parentheses may contain anything. */
const STAT_STATE = 0;
const STAT_START_TIME = 19;

/**
 * Identifies one run of a process, so that a reused pid is not mistaken for the old process. Undefined for a missing
 * process or a zombie.
 */
export function identityOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : psLine(pid, 'lstart=');
}

/** Returns the command line of a living process, or undefined. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return psLine(pid, 'command=');
  return readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
}

/** Command lines of a process's children. Undefined where the system does not list them. */
export function childCommands(pid: number): string[] | undefined {
  if (process.platform !== 'linux') return psChildren(pid);
  const pids = readIfThere(`/proc/${pid}/task/${pid}/children`);
  return pids
    ?.split(' ')
    .filter(Boolean)
    .flatMap((child) => commandOf(Number(child)) ?? []);
}

function linuxIdentity(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (!stat) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (/^[ZX]/.test(fields[STAT_STATE] ?? 'X')) return undefined;
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
  return `${boot}/${fields[STAT_START_TIME]}`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function psLine(pid: number, format: string): string | undefined {
  const args = ['-ww', '-o', format, '-p', String(pid)];
  return spawnSync('ps', args, { encoding: 'utf8' }).stdout?.trim() || undefined;
}

function psChildren(pid: number): string[] | undefined {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'ppid=,command='], { encoding: 'utf8' });
  const own = new RegExp(`^ *${pid} +(.*)`);
  return stdout?.split('\n').flatMap((line) => own.exec(line)?.[1] ?? []);
}
