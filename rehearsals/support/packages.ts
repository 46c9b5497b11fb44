import { existsSync } from 'node:fs';
import { aptInstall, canInstall } from '../../scripts/setup/apt.ts';

/**
 * Installs the Debian packages whose file is missing, where this process runs as root. Throws with the command to run
 * if any file is missing afterwards.
 */
export function requirePackages(files: Readonly<Record<string, string>>): void {
  const missing = () => Object.keys(files).filter((name) => !existsSync(files[name] as string));
  if (missing().length === 0) return;
  if (canInstall()) aptInstall(...missing());
  const names = missing().join(' ');
  if (names)
    throw new Error(
      `Missing packages: ${names}. Install them as root: apt-get install -y ${names}`,
    );
}
