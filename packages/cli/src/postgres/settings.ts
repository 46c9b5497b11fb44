import { totalmem } from 'node:os';

export interface PostgresSettings {
  readonly socketDirectory: string;
  /** False only for tests' throw-away clusters: a crash of the machine may then lose everything. */
  readonly durable: boolean;
}

export const POSTGRES_PORT = 5432;
const CONNECTIONS_MAX = 100;
/** Each test file that runs at the time has a server and a vault of its own. */
const TEST_CONNECTIONS_MAX = 300;
const MEMORY_SHARE = 16;
const SHARED_BUFFERS_MB = { least: 128, most: 1024 };

/** The configuration file that every start writes anew; `ALTER SYSTEM` still overrides it. */
export function renderSettings({ socketDirectory, durable }: PostgresSettings): string {
  const safe = durable ? 'on' : 'off';
  const settings = {
    listen_addresses: '',
    port: POSTGRES_PORT,
    unix_socket_directories: `"${socketDirectory}"`,
    unix_socket_permissions: '0700',
    max_connections: durable ? CONNECTIONS_MAX : TEST_CONNECTIONS_MAX,
    shared_buffers: `${sharedBuffersMb()}MB`,
    // Who writes while a checkpoint ends waits for the disk; a busy hour has fewer of them.
    max_wal_size: durable ? '4GB' : '512MB',
    // A new segment of 16 MB is not filled with zeros by the commit that begins it, for which all others would wait.
    wal_init_zero: 'off',
    jit: 'off',
    fsync: safe,
    full_page_writes: safe,
    synchronous_commit: safe,
    password_encryption: 'scram-sha-256',
    // Tests connect thousands of times, with passwords that everybody knows.
    ...(!durable && { scram_iterations: 1 }),
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'on',
    log_directory: 'log',
    // One file a weekday, begun anew each week: the log cannot grow without bound.
    log_filename: 'postgresql-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: 0,
    // Statements and their values stay out of the log.
    log_min_error_statement: 'panic',
    log_parameter_max_length: 0,
    // So do the values that an error's DETAIL quotes.
    log_error_verbosity: 'terse',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
    .join('');
}

function sharedBuffersMb(): number {
  const share = Math.floor(totalmem() / MEMORY_SHARE / 1024 ** 2);
  return Math.min(Math.max(share, SHARED_BUFFERS_MB.least), SHARED_BUFFERS_MB.most);
}
