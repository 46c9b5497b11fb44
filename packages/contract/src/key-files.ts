/** Owner and permissions of a file or directory. */
export interface FileEntry {
  readonly uid: number;
  readonly mode: number;
}

/** File system of the process, which this package does not import. Each throws an error with `code`. */
export interface FileTools {
  /** Path without symbolic links. */
  readonly realpathSync: (path: string) => string;
  readonly statSync: (path: string) => FileEntry;
  readonly readdirSync: (path: string) => string[];
}

/** Reason why somebody else could read or replace a key. */
export interface KeyFileFault {
  readonly problem: string;
  /** Next step, as one sentence. */
  readonly fix: string;
}

const OTHERS = 0o007;
const GROUP = 0o070;
const WRITE_OF_OTHERS = 0o002;
const WRITE_OF_GROUP = 0o020;
/** In a directory with this bit, only the owner of a file may rename or delete it. */
const STICKY = 0o1000;
const ROOT = 0;

/** Root keys of a vault, by version. */
const ROOT_KEY = /^root(-\d+)?\.key$/;

/** Faults of the key that seals secrets. `data_dir` is absolute. */
export const findSecretsKeyFaults = (
  tools: FileTools,
  data_dir: string,
  uid: number,
): KeyFileFault[] => findKeyFileFaults(tools, `${data_dir}/secrets.key`, uid);

/** Faults of all root keys in a vault's directory, and of the first one's place. `directory` is absolute. */
export function findRootKeyFaults(
  tools: FileTools,
  directory: string,
  uid: number,
): KeyFileFault[] {
  const found = (read(() => tools.readdirSync(directory)) ?? []).filter((it) => ROOT_KEY.test(it));
  const faults = [...new Set(['root.key', ...found])].flatMap((name) =>
    findKeyFileFaults(tools, `${directory}/${name}`, uid),
  );
  return [...new Map(faults.map((fault) => [fault.problem, fault])).values()];
}

/**
 * Faults of a key file that only the user `uid` and root may read, write or replace. Includes its directory, those above
 * it, and those of the file that a symbolic link names. An absent file has no faults of its own. `path` is absolute.
 */
export function findKeyFileFaults(tools: FileTools, path: string, uid: number): KeyFileFault[] {
  const entry = read(() => tools.statSync(path));
  const real = read(() => tools.realpathSync(path)) ?? path;
  const nearest = new Set([directoryOf(path), directoryOf(real)]);
  const above = new Set([...nearest].flatMap((directory) => directoriesAbove(directory)));
  return [
    ...(entry ? fileFaults(path, entry, uid) : []),
    ...[...nearest].flatMap((directory) =>
      directoryFaults(tools, { directory, uid, forbidden: WRITE_OF_GROUP | WRITE_OF_OTHERS }),
    ),
    ...[...above]
      .filter((directory) => !nearest.has(directory))
      .flatMap((directory) =>
        directoryFaults(tools, { directory, uid, forbidden: WRITE_OF_OTHERS }),
      ),
  ];
}

/** Variables of the vault that name a file with a secret. The platform chooses owner and group of these files. */
const SECRET_FILES = [
  'VAULT_PKCS11_PIN_FILE',
  'VAULT_APPLE_PAY_KEY_FILE',
  'VAULT_GOOGLE_PAY_KEY_FILE',
] as const;

/** Faults of files that variables of the vault name: the HSM's PIN, and keys of wallets that every user may use. */
export const findSecretFileFaults = (
  tools: Pick<FileTools, 'statSync'>,
  env: Readonly<Partial<Record<(typeof SECRET_FILES)[number], string | undefined>>>,
): KeyFileFault[] =>
  SECRET_FILES.flatMap((name) => {
    const path = env[name];
    const entry = path && read(() => tools.statSync(path));
    if (!entry || (entry.mode & OTHERS) === 0) return [];
    return [
      {
        problem: `Every user may use the file of ${name}.`,
        fix: `Run as root: chmod o= ${path}. If somebody read it, replace the secret.`,
      },
    ];
  });

/** Undefined for what is absent, or in a directory that this user may not enter: such a key cannot be used. */
function read<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

function fileFaults(path: string, { uid: owner, mode }: FileEntry, uid: number): KeyFileFault[] {
  const fix = `Run as root: chown ${uid} ${path} && chmod 600 ${path}. If somebody read it, rotate the key.`;
  if (owner !== uid)
    return [{ problem: `The key file ${path} belongs to another user (${owner}).`, fix }];
  if (mode & OTHERS) return [{ problem: `Every user may use the key file ${path}.`, fix }];
  if (mode & GROUP) return [{ problem: `The group of the key file ${path} may use it.`, fix }];
  return [];
}

interface DirectoryCheck {
  readonly directory: string;
  readonly uid: number;
  readonly forbidden: number;
}

function directoryFaults(
  tools: FileTools,
  { directory, uid, forbidden }: DirectoryCheck,
): KeyFileFault[] {
  const entry = read(() => tools.statSync(directory));
  if (!entry) return [];
  if (entry.uid !== uid && entry.uid !== ROOT)
    return [
      {
        problem: `The directory ${directory} of a key file belongs to another user (${entry.uid}), who can replace the key.`,
        fix: `Run as root: chown ${uid} ${directory}.`,
      },
    ];
  if ((entry.mode & forbidden) === 0 || entry.mode & STICKY) return [];
  return [
    {
      problem: `Other users may replace files in the directory ${directory} of a key file.`,
      fix: `Run as root: chmod go-w ${directory}.`,
    },
  ];
}

/** `/` of `/a`, and `/a` of `/a/b`. */
const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

function directoriesAbove(directory: string): string[] {
  const above = directoryOf(directory);
  return above === directory ? [] : [above, ...directoriesAbove(above)];
}
