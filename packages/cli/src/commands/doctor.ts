import { statfsSync } from 'node:fs';
import { lateBackup } from '../backup/late-backup.ts';
import { type StartSettings, wholeEnvironment } from '../config/env.ts';
import { requireOwnDatabase } from '../database/own-database.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { parts } from '../production/gap.ts';
import { findKeyFaults } from '../production/read-facts.ts';
import { isAnyHeld } from '../supervisor/lock.ts';
import {
  type AtDatabaseOptions,
  atDatabase,
  requireInstallation,
  runScript,
} from './at-database.ts';
import { findGaps } from './check.ts';

export const DOCTOR_USAGE = `       npm run florin -- doctor [--json]
           prints what is wrong with this installation, each with the next step; exits with 1 if something is
       npm run florin -- doctor record backup
           stores that a backup is done, at the end of your backup`;

/** Time for a restart of PostgreSQL: an operator who asks wants an answer. */
const POSTGRES_LIMIT_MS = 10_000;

/** Part of an examination, as the server's `doctor.ts` reads it. */
interface LocalExamination {
  readonly facts: Record<string, string>;
  readonly findings: {
    readonly area: string;
    readonly problem: string;
    readonly next_step: string;
  }[];
}

/** Prints what is wrong with an installation. Resolves with the exit code: 1 if something is. */
export async function doctor(words: string[], options: AtDatabaseOptions): Promise<number> {
  const line = words.join(' ');
  if (line === 'record backup') return atDatabase(options, 'doctor.ts', { words });
  if (line !== '' && line !== '--json') throw new PlainFailure(`Usage:\n${DOCTOR_USAGE}`);
  const host = await examineHost(options.settings);
  const examined = (command: string, local: LocalExamination) => ({
    words: [command, ...words],
    input: JSON.stringify(local),
    vault: true,
    postgres_limit_ms: POSTGRES_LIMIT_MS,
  });
  const { databaseUrl, dataDir } = options.settings;
  requireOwnDatabase(options.settings);
  if (!databaseUrl) requireInstallation(dataDir);
  return atDatabase(options, 'doctor.ts', examined('examine', host)).catch((error: Error) =>
    runScript(options, '', 'doctor.ts', examined('host', withoutDatabase(host, error))),
  );
}

/** An embedded PostgreSQL that does not run is a finding: another one, such as a full disk, may say why. */
const withoutDatabase = (host: LocalExamination, { message }: Error): LocalExamination => ({
  ...host,
  findings: [
    {
      area: 'database',
      problem: `${message.replace(/\.$/, '')}.`,
      next_step: 'Mend what it names, and start Florin again where it does not run.',
    },
    ...host.findings,
  ],
});

/** Examines this host: supervisor, disk, and in production the gaps of its configuration. */
async function examineHost(settings: StartSettings): Promise<LocalExamination> {
  const disk = diskOf(settings.dataDir);
  const isProduction = settings.environment === 'production';
  const gaps = isProduction ? (await findGaps('server')).gaps : keyFaultsOf(settings);
  const findings = gaps.map(({ problem, fix }) => ({
    area: 'configuration',
    problem,
    next_step: fix,
  }));
  if (!isAnyHeld(settings.dataDir))
    findings.push({
      area: 'processes',
      problem: `No Florin runs with the data directory ${settings.dataDir}.`,
      next_step: 'Start it, or set FLORIN_DATA to the directory of the running one.',
    });
  const backupProblem = lateBackup(settings.dataDir, Date.now());
  if (backupProblem)
    findings.push({
      area: 'checks',
      problem: backupProblem,
      next_step:
        'Read what Florin printed, and run npm run florin -- backup: /docs/operate/backup.',
    });
  if (disk && disk.free_share < FREE_SHARE_MIN)
    findings.push({
      area: 'disk',
      problem: `${disk.text} are free at ${settings.dataDir}.`,
      next_step: 'Free some space, or enlarge the disk: a full disk stops all payments.',
    });
  return {
    facts: { configuration: settings.environment, ...(disk && { disk: disk.text }) },
    findings,
  };
}

/** Keys of server and vault, which development has as one user. */
export const keyFaultsOf = ({ dataDir: FLORIN_DATA }: StartSettings) =>
  parts.flatMap((part) => findKeyFaults(part, { ...wholeEnvironment(), FLORIN_DATA }));

const FREE_SHARE_MIN = 0.1;
const GIB = 1024 ** 3;

/** Free space at the data directory; undefined where it cannot be read. */
function diskOf(
  directory: string,
): { readonly free_share: number; readonly text: string } | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    const free_share = bavail / blocks;
    const text = `${((bavail * bsize) / GIB).toFixed(1)} GiB (${Math.round(100 * free_share)} %)`;
    return { free_share, text };
  } catch {
    return undefined;
  }
}
