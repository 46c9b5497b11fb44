import { readdirSync, readFileSync } from 'node:fs';

/** A process with all that descend from it. */
export function processTree(root: number): number[] {
  const parents = readParents();
  const tree = [root];
  for (const pid of tree)
    tree.push(...[...parents].filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

/** Sends a signal to processes. Ended ones are skipped. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export function isRunning(pid: number): boolean {
  const stat = readStat(String(pid));
  return stat !== undefined && stat.state !== 'Z';
}

const readParents = (): Map<number, number> =>
  new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = readStat(name);
        return stat ? [[Number(name), stat.parent] as const] : [];
      }),
  );

/** State and parent follow the program's name, which stands in parentheses and may have spaces. */
function readStat(pid: string): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
