import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Takes a lock file, after waiting for its holder. Ignores a dead holder. After `held_max_ms` a holder counts as dead,
 * because its process id may belong to another program by now.
 * @param {string} path @param {{ held_max_ms?: number }} [limits]
 */
export async function takeFileLock(path, { held_max_ms = Number.POSITIVE_INFINITY } = {}) {
  const draft = `${path}.${randomUUID()}`;
  // The directory may be writable for everyone, so an existing file of this name is never written.
  writeFileSync(draft, String(process.pid), { flag: 'wx', mode: 0o600 });
  try {
    while (!tryLink(draft, path)) {
      const holderPid = holderOf(path);
      const isHeld = holderPid > 0 && isAlive(holderPid) && ageOf(path) <= held_max_ms;
      if (isHeld) await sleep(POLL_MS);
      else moveDeadLock(path, holderPid);
    }
  } finally {
    rmSync(draft);
  }
  return path;
}

/**
 * Milliseconds since a lock was taken; 0 without a lock file. The link that takes it sets the change time.
 * @param {string} path
 */
const ageOf = (path) =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Date.now());

/** @param {string} draft @param {string} path */
function tryLink(draft, path) {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns the process id in a lock file; 0 without a lock file.
 * @param {string} path
 */
function holderOf(path) {
  try {
    return Math.max(Number.parseInt(readFileSync(path, 'utf8'), 10) || 0, 0);
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Moves a dead process's lock away. A command that moved a new lock instead puts the new lock back.
 * @param {string} path @param {number} dead
 */
function moveDeadLock(path, deadPid) {
  const movedPath = `${path}.${randomUUID()}`;
  try {
    renameSync(path, movedPath);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (holderOf(movedPath) !== deadPid) tryLink(movedPath, path);
  rmSync(movedPath);
}
