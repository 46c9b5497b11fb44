import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/** Lowest priority: the build must not delay the start. */
const PRIORITY = 19;

/**
 * Builds the documentation in the background if its sources changed. Ends with this process.
 * @param {string} node
 * @param {string} root
 */
export function startDocsBuild(node, root) {
  const program = join(root, 'docs', 'src', 'build.ts');
  const child = spawn(node, [program, '--if-stale'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problem = '';
  child.stderr.on('data', (part) => {
    problem += part;
  });
  child.once('exit', (code) => {
    if (code) console.error(`The documentation was not built (npm run docs):\n${problem}`);
  });
  child.once('spawn', () => setPriority(child.pid ?? 0, PRIORITY));
  child.unref();
  process.once('exit', () => child.kill());
}
