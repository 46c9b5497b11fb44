import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** npm passes on a signal that the terminal has sent to this process already; two this close are one. */
const SAME_SIGNAL_MS = 300;
const SHELL = /(^|[/-])(ba|da|k|z)?sh$/;
const PARENT_POLL_MS = 500;

/**
 * Runs a program to its end and resolves with its exit code. The program is in a session of its own, so that a
 * signal reaches it once, from here; it has an IPC channel, whose end tells it that this process was killed.
 * @param {string} node @param {string[]} args @param {string} cwd @returns {Promise<number>}
 */
export function runProgram(node, args, cwd) {
  const child = spawn(node, args, {
    cwd,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  passOnSignals(child);
  stopWithNpm(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      child.channel?.unref();
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}

/** @param {import('node:child_process').ChildProcess} child */
function passOnSignals(child) {
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > SAME_SIGNAL_MS) child.kill(signal);
      last = now;
    });
  }
}

/**
 * An npm that is killed cannot say so, and the shell between it and this process passes no signal on: one of the
 * two then has another parent. What npm itself was started by may go.
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const shell = describe(parent);
  const timer = setInterval(() => {
    const kept = !SHELL.test(shell.name) || describe(parent).parent === shell.parent;
    if (process.ppid === parent && kept) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}

/** The name of a process and the number of its parent. @param {number} pid */
function describe(pid) {
  const linux = process.platform === 'linux';
  const text = linux ? linuxStatus(pid) : run('ps', ['-o', 'ppid=,comm=', '-p', String(pid)]);
  const pattern = linux
    ? /^Name:\s*(?<name>.*)[\s\S]*?^PPid:\s*(?<parent>\d+)/m
    : /(?<parent>\d+)\s+(?<name>.*)/;
  const { name = '', parent = '' } = pattern.exec(text)?.groups ?? {};
  return { name, parent };
}

/** @param {number} pid */
function linuxStatus(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} file @param {string[]} args */
const run = (file, args) => spawnSync(file, args, { encoding: 'utf8' }).stdout ?? '';
