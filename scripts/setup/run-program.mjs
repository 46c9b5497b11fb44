import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** The terminal and npm both send a signal to this process. Two signals within this time count as one. */
const SAME_SIGNAL_MS = 300;
const SHELL = /(^|[/-])(ba|da|k|z)?sh$/;
const PARENT_POLL_MS = 500;

/**
 * Runs a program until it ends, and resolves with its exit code. The program has its own session, so a signal
 * reaches it only from here. When this process is killed, the program's IPC channel ends.
 * @param {string} node
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<number>}
 */
export function runProgram(node, args, cwd) {
  const child = spawn(node, args, {
    cwd,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  forwardSignals(child);
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
function forwardSignals(child) {
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - lastSignalAt > SAME_SIGNAL_MS) child.kill(signal);
      lastSignalAt = now;
    });
  }
}

/**
 * Stops the program if npm is killed, since npm then forwards no signal. A new parent process shows that.
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const shell = describeProcess(parent);
  const timer = setInterval(() => {
    const isSameShell = !SHELL.test(shell.name) || describeProcess(parent).parent === shell.parent;
    if (process.ppid === parent && isSameShell) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}

/**
 * Reads the name and the parent of a process.
 * @param {number} pid
 */
function describeProcess(pid) {
  const isLinux = process.platform === 'linux';
  const text = isLinux ? linuxStatus(pid) : run('ps', ['-o', 'ppid=,comm=', '-p', String(pid)]);
  const pattern = isLinux
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
