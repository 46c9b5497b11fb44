import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../support/cluster.ts';
import { tryFlorin } from '../support/command.ts';
import { createLogReader, type LogLine } from '../support/log-reader.ts';
import { readReadiness } from '../support/readiness.ts';
import type { Identities, Side } from './identities.ts';

const POLL_MS = 100;
const RELOAD_LIMIT_MS = 60_000;

/** One look at the certificates of an installation. */
export interface Look {
  /** Status of `/readyz`, and its notes. */
  readonly ready: string;
  /** Seconds until the certificate ends; undefined where the metric is missing. */
  readonly expiry_seconds: number | undefined;
  /** Findings of `florin doctor` about vault and certificates. */
  readonly doctor: readonly string[];
}

/** Sees what an operator sees. */
export interface Operator {
  look(side: Side): Promise<Look>;
  /** The returned function waits until all members of these sides have read files that change from now on. */
  expectReload(...sides: readonly Side[]): () => Promise<void>;
  /** Lines of all logs about certificates and the vault since the previous call, each once. */
  readLogs(): readonly string[];
}

export function createOperator(cluster: Cluster, { vaultAddress, envOf }: Identities): Operator {
  const directory = join(cluster.dataDir, 'logs');
  const readLines = createLogReader(directory);
  const env = { FLORIN_DATA: cluster.dataDir, DATABASE_URL: cluster.serverUrl, ...envOf('api') };
  const expiryAt = async (url: string, side: Side) =>
    findExpiry(
      await (await fetch(`${url}/metrics`)).text(),
      side === 'server' ? side : vaultAddress,
    );
  return {
    readLogs: () => [...new Set(readLines().flatMap(sentenceOf))],
    expectReload(...sides) {
      const readLater = createLogReader(directory);
      const missing = sides.flatMap((side) =>
        Array.from(
          { length: side === 'vault' ? 1 : cluster.privates.length },
          () => RELOADED[side],
        ),
      );
      return () => waitForLines(readLater, missing);
    },
    async look(side) {
      const [url = ''] = cluster.apis;
      const [ready, expiry_seconds, { text }] = await Promise.all([
        readReadiness(url),
        expiryAt(url, side),
        tryFlorin(env, 'doctor'),
      ]);
      return {
        ready: [ready.status, ...ready.notes].join(': '),
        expiry_seconds,
        doctor: linesAbout(text),
      };
    },
  };
}

/** Messages about new files in the logs. */
const RELOADED: Readonly<Record<Side, string>> = {
  server: 'certificates for vaults were read again',
  vault: 'tls_files_loaded',
};

/** Waits until each text was found in a line of its own. */
async function waitForLines(readLines: () => LogLine[], texts: readonly string[]): Promise<void> {
  const deadline = performance.now() + RELOAD_LIMIT_MS;
  const missing = [...texts];
  for (;;) {
    for (const { line } of readLines()) {
      const found = missing.findIndex((text) => line.includes(text));
      if (found >= 0) missing.splice(found, 1);
    }
    if (missing.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`The logs do not have: ${missing.join(', ')}`);
    await sleep(POLL_MS);
  }
}

const ABOUT = /vault|certificate/i;
const linesAbout = (text: string): string[] =>
  text.split('\n').flatMap((line) => (ABOUT.test(line) ? [line.trim()] : []));

function findExpiry(metrics: string, certificate: string): number | undefined {
  const start = `florin_vault_certificate_expiry_seconds{certificate="${certificate}"} `;
  const line = metrics.split('\n').find((text) => text.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(start.length));
}

/** The sentence of a server, or the event of the vault with its details. */
function sentenceOf({ file, line }: LogLine): string[] {
  if (!line.startsWith('{')) return [];
  const { msg, event, fault, reason } = JSON.parse(line) as Readonly<Record<string, string>>;
  const text = msg ?? [event, fault ?? reason].filter(Boolean).join(' ');
  const source = file.replace(/[-.].*$/, '');
  return ABOUT.test(text) || /tls|connection_refused/.test(text) ? [`${source}: ${text}`] : [];
}
