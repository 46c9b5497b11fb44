import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** npm passes on a signal that the terminal has sent to this process already; two this close are one. */
const SAME_SIGNAL_MS = 300;
const PARENT_POLL_MS = 250;

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

/** An npm that is killed cannot say so; this process then has another parent. @param {import('node:child_process').ChildProcess} child */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
