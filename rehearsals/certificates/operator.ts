import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../support/cluster.ts';
import { tryFlorin } from '../support/command.ts';
import type { Identities, Side } from './identities.ts';

const PROBE_MS = 500;

/** How often `/readyz` failed, of all its answers. */
export interface Readiness {
  readonly failed: number;
  readonly all: number;
}

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
  /** Asks every server's `/readyz` until the returned function is called. */
  watchReadiness(): () => Readiness;
  /** Lines of all logs about certificates and the vault since the previous call, each once. */
  readLogs(): readonly string[];
}

export function createOperator(cluster: Cluster, { vaultAddress, envOf }: Identities): Operator {
  const logs = createLogReader(join(cluster.dataDir, 'logs'));
  const env = { FLORIN_DATA: cluster.dataDir, DATABASE_URL: cluster.serverUrl, ...envOf('api') };
  const expiryAt = async (url: string, side: Side) =>
    findExpiry(
      await (await fetch(`${url}/metrics`)).text(),
      side === 'server' ? side : vaultAddress,
    );
  return {
    watchReadiness: () => watchReadiness(cluster.privates),
    readLogs: logs,
    async look(side) {
      const [url = ''] = cluster.apis;
      const [ready, expiry_seconds, { text }] = await Promise.all([
        readReady(url),
        expiryAt(url, side),
        tryFlorin(env, 'doctor'),
      ]);
      return { ready, expiry_seconds, doctor: linesAbout(text) };
    },
  };
}

async function readReady(url: string): Promise<string> {
  const response = await fetch(`${url}/readyz`);
  const { notes = [] } = (await response.json()) as { readonly notes?: readonly string[] };
  return [response.status, ...notes].join(': ');
}

function watchReadiness(urls: readonly string[]): () => Readiness {
  const statuses: number[] = [];
  const ask = (url: string) =>
    fetch(`${url}/readyz`).then(({ status }) => void statuses.push(status), ignoreRestart);
  const timer = setInterval(() => void Promise.all(urls.map(ask)), PROBE_MS);
  return () => {
    clearInterval(timer);
    return { failed: statuses.filter((status) => status !== 200).length, all: statuses.length };
  };
}

const ignoreRestart = (): void => {};

const ABOUT = /vault|certificate/i;
const linesAbout = (text: string): string[] =>
  text.split('\n').flatMap((line) => (ABOUT.test(line) ? [line.trim()] : []));

function findExpiry(metrics: string, certificate: string): number | undefined {
  const start = `florin_vault_certificate_expiry_seconds{certificate="${certificate}"} `;
  const line = metrics.split('\n').find((text) => text.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(start.length));
}

/** Reads log files from where the previous call ended. */
function createLogReader(directory: string): () => readonly string[] {
  const read = new Map<string, number>();
  return () => {
    const found = readdirSync(directory).flatMap((name) => {
      const text = readFileSync(join(directory, name), 'utf8');
      const lines = text.slice(read.get(name) ?? 0).split('\n');
      read.set(name, text.length);
      return lines.flatMap((line) => sentenceOf(name, line));
    });
    return [...new Set(found)];
  };
}

/** The sentence of a server, or the event of the vault with its details. */
function sentenceOf(name: string, line: string): string[] {
  if (!line.startsWith('{')) return [];
  const { msg, event, fault, reason } = JSON.parse(line) as Readonly<Record<string, string>>;
  const text = msg ?? [event, fault ?? reason].filter(Boolean).join(' ');
  const source = name.replace(/[-.].*$/, '');
  return ABOUT.test(text) || /tls|connection_refused/.test(text) ? [`${source}: ${text}`] : [];
}
