import { spawnSync } from 'node:child_process';
import { aptInstall, canInstall } from './apt.ts';

/** Debian packages of the languages in which the documentation has samples, by command. */
const packageByCommand: Readonly<Record<string, string>> = {
  python3: 'python3-minimal',
  php: 'php-cli',
  go: 'golang-go',
  ruby: 'ruby',
};

/**
 * Installs the languages that run the samples of the documentation, where the computer allows. Tests of a missing
 * language are skipped and say so.
 */
export function ensureSampleLanguages(): void {
  const missing = Object.keys(packageByCommand).filter((command) => !isInstalled(command));
  if (missing.length === 0) return;
  if (!canInstall()) {
    console.log(
      `Samples of the documentation are not run in: ${missing.join(', ')} (not installed).`,
    );
    return;
  }
  console.log(`Installing ${missing.join(', ')} for the samples of the documentation (apt-get).`);
  for (const command of missing) aptInstall(packageByCommand[command] ?? command);
}

const isInstalled = (command: string): boolean => spawnSync('which', [command]).status === 0;
