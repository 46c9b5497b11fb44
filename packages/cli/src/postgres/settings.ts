import { totalmem } from 'node:os';
import { archiveCommand, fetchCommand } from './log-archive.ts';

/** Recovery of a restored cluster from the segments of its log. */
export interface Recovery {
  /** Directory with the segments. */
  readonly directory: string;
  /** Time to stop at, as ISO 8601; undefined: the end of the log. */
  readonly until?: string | undefined;
}

export interface PostgresSettings {
  readonly socketDirectory: string;
  /** Directory of the cluster and of what PostgreSQL writes beside it. */
  readonly root: string;
  readonly recovery?: Recovery | undefined;
  /** False only for temporary test clusters, which may be lost when the machine crashes. */
  readonly durable: boolean;
}

export const POSTGRES_PORT = 5432;
const CONNECTIONS_MAX = 100;
/** Maximum connections, enough for a server and a vault per test file that runs concurrently. */
const TEST_CONNECTIONS_MAX = 300;
const MEMORY_SHARE = 16;
const SHARED_BUFFERS_MB = { least: 128, most: 1024 };

/** Renders the configuration file. Every start rewrites the file; `ALTER SYSTEM` still overrides it. */
export function renderSettings(wanted: PostgresSettings): string {
  const { socketDirectory, durable } = wanted;
  const durability = durable ? 'on' : 'off';
  const settings = {
    listen_addresses: '',
    port: POSTGRES_PORT,
    unix_socket_directories: `"${socketDirectory}"`,
    unix_socket_permissions: '0700',
    max_connections: durable ? CONNECTIONS_MAX : TEST_CONNECTIONS_MAX,
    shared_buffers: `${sharedBuffersMb()}MB`,
    // Writers wait for the disk at the end of a checkpoint. A larger log means fewer checkpoints.
    max_wal_size: durable ? '4GB' : '512MB',
    // Otherwise the commit that begins a new 16 MB segment fills it with zeros while all other commits wait.
    wal_init_zero: 'off',
    // A table without statistics is read through a wrong index until its first analysis.
    autovacuum_naptime: '10s',
    jit: 'off',
    fsync: durability,
    full_page_writes: durability,
    synchronous_commit: durability,
    password_encryption: 'scram-sha-256',
    // Tests connect thousands of times, with passwords that are public.
    ...(!durable && { scram_iterations: 1 }),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // On also before the first backup: this setting needs a restart, and the command costs nothing until then.
    archive_mode: durable ? 'on' : 'off',
    archive_command: durable ? archiveCommand(wanted.root) : '',
    logging_collector: 'on',
    log_directory: 'log',
    // One file per weekday, overwritten weekly, so that the log stays bounded.
    log_filename: 'postgresql-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: 0,
    // Keeps statements and their values out of the log.
    log_min_error_statement: 'panic',
    log_parameter_max_length: 0,
    // Keeps the values in an error's DETAIL out of the log.
    log_error_verbosity: 'terse',
    ...(wanted.recovery && recoverySettings(wanted.recovery)),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
    .join('');
}

/** A recovery logs to the file of its start, where its refusal is read. */
const recoverySettings = ({ directory, until }: Recovery) => ({
  restore_command: fetchCommand(directory),
  recovery_target_timeline: 'current',
  ...(until && { recovery_target_time: targetText(until), recovery_target_action: 'promote' }),
  hot_standby: 'off',
  archive_mode: 'off',
  logging_collector: 'off',
});

/** PostgreSQL reads this setting before it knows names of time zones, so it takes no Z. */
const targetText = (iso: string): string => iso.replace('T', ' ').replace('Z', '+00');

function sharedBuffersMb(): number {
  const share = Math.floor(totalmem() / MEMORY_SHARE / 1024 ** 2);
  return Math.min(Math.max(share, SHARED_BUFFERS_MB.least), SHARED_BUFFERS_MB.most);
}
