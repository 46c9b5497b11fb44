import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  CardDescription,
  IngestRequest,
  Mode,
  RelayAnswer,
  RelayRequest,
  SealingKey,
  VaultError,
} from '@florin/contract/protocol/vault.ts';
import { createVault } from '../../src/app.ts';
import type { VaultConfig } from '../../src/config/config.ts';
import { sendCommand } from './admin.ts';
import { createMigratedDatabase, type TestDatabase } from './postgres.ts';
import { type SealOptions, seal } from './sealer.ts';

/** Variable with which child processes share the run's compile cache. */
export const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export function call(
  socketPath: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text =
      body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    const request = httpRequest({ socketPath, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
      response.on('error', reject);
    });
    request.on('error', reject).end(text);
  });
}

const CARD = { pan: '4242424242424242', expiry_month: 12, expiry_year: 2030 };

export interface CardOptions {
  readonly merchant_id?: string;
  readonly mode?: Mode;
  readonly sid?: string;
  /** Session of the request, if it differs from the session of the encrypted card. */
  readonly requestSid?: string;
  /** Encryption key other than the published one, as in a form that was loaded earlier. */
  readonly key?: SealingKey;
  readonly pan?: Partial<SealOptions> & { content?: Record<string, unknown> };
  readonly cvv?: Partial<SealOptions> & { content?: Record<string, unknown> };
}

/** A vault with its own database, a clock that only tests move, and a recorded log. */
export async function startTestVault(
  egress: readonly string[] = [],
  configChanges: Partial<
    Pick<
      VaultConfig,
      | 'wallets'
      | 'connections_max'
      | 'limits'
      | 'tls'
      | 'dataDir'
      | 'requires_consent'
      | 'sends_cards_to'
    >
  > = {},
) {
  const database = await createMigratedDatabase();
  const tempDir = mkdtempSync(join(tmpdir(), 'vault-'));
  const log: string[] = [];
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
  const config = {
    socketPath: join(tempDir, 'run', 'vault.sock'),
    adminSocketPath: join(tempDir, 'run', 'admin.sock'),
    databaseUrl: database.url,
    dataDir: join(tempDir, 'data'),
    egress,
    ...configChanges,
  };
  async function removeAll(): Promise<void> {
    await database.drop();
    rmSync(tempDir, { recursive: true });
  }
  const startVault = (changes: Pick<VaultConfig, 'wallets' | 'sends_cards_to'> = {}) =>
    createVault(
      { ...config, ...changes },
      {
        clock: () => clock.now,
        tls_reload_ms: 20,
        log_destination: { write: (line: string) => void log.push(line) },
      },
    );
  let vault = await startVault().catch(async (error: unknown) => {
    await removeAll();
    throw error;
  });
  const post = (path: string, body: unknown) => call(config.socketPath, 'POST', path, body);

  async function fetchKey(mode: Mode): Promise<SealingKey> {
    const { text } = await call(config.socketPath, 'GET', '/keys');
    return (JSON.parse(text) as SealingKey[]).find((key) => key.mode === mode)!;
  }

  async function sealedRequest(options: CardOptions = {}): Promise<IngestRequest> {
    const { merchant_id = 'merchant-a', mode = 'sandbox', sid = randomUUID() } = options;
    const key = options.key ?? (await fetchKey(mode));
    const sealDefaults = { sid, now: clock.now };
    const pan_jwe = await seal(
      key,
      { ...CARD, ...options.pan?.content },
      { ...sealDefaults, ...options.pan },
    );
    const cvv_jwe = await seal(
      key,
      { cvv: '987', ...options.cvv?.content },
      { ...sealDefaults, ...options.cvv },
    );
    const source = { kind: 'sealed', pan_jwe, cvv_jwe, sid: options.requestSid ?? sid } as const;
    return { merchant_id, mode, source };
  }

  return {
    database,
    config,
    clock,
    log,
    post,
    fetchKey,
    sealedRequest,
    get: (path: string) => call(config.socketPath, 'GET', path),
    /** Runs an operator's command. */
    admin: (path: string, body?: unknown) => sendCommand(config.adminSocketPath, path, body),
    async stop() {
      await vault[Symbol.asyncDispose]();
    },
    async restart(changes?: Pick<VaultConfig, 'wallets' | 'sends_cards_to'>) {
      await vault[Symbol.asyncDispose]();
      vault = await startVault(changes);
    },
    async ingest(options: CardOptions = {}): Promise<CardDescription> {
      const { status, text } = await post('/ingest', await sealedRequest(options));
      if (status !== 200) throw new Error(text);
      return JSON.parse(text) as CardDescription;
    },
    async relay(...requests: RelayRequest[]): Promise<RelayAnswer[]> {
      const { status, text } = await post('/relay', { requests });
      if (status !== 200) throw new Error(text);
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as RelayAnswer);
    },
    async [Symbol.asyncDispose]() {
      await vault[Symbol.asyncDispose]();
      await removeAll();
    },
  };
}

export type TestVault = Awaited<ReturnType<typeof startTestVault>>;

export const errorOf = ({ text }: Answer): VaultError => JSON.parse(text) as VaultError;

/** All values of all tables in the schema vault, as text. */
export async function dumpDatabase(database: TestDatabase): Promise<string> {
  const tables = await database.query(
    `select table_name as name from information_schema.tables where table_schema = 'vault'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => database.query(`select t::text as line from vault.${name} t`)),
  );
  return rows
    .flat()
    .map(({ line }) => line)
    .join('\n');
}
