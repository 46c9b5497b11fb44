import type { MigrationEvent } from '@florin/contract/migrations/migration.ts';
import type { Mode, VaultErrorCode, WalletKind } from '@florin/contract/protocol/vault.ts';
import type { ConnectionRefusal, VaultVerb } from '@florin/contract/protocol/vault-health.ts';
import { type DestinationStream, pino, destination as standardOutput } from 'pino';
import { guardLine } from './log-guard.ts';

/**
 * All log events of the vault. The list is closed, because error texts, bodies and headers may contain card
 * numbers and must never be logged.
 */
export type VaultEvent =
  | MigrationEvent
  | { readonly event: 'started' | 'stopped' }
  | { readonly event: 'card_ingested'; readonly merchant_id: string; readonly mode: Mode }
  | {
      readonly event: 'ingest_refused';
      readonly merchant_id: string;
      readonly mode: Mode;
      readonly outcome: VaultErrorCode;
    }
  | {
      readonly event: 'relayed';
      readonly requests: number;
      readonly answered: number;
      readonly not_sent: number;
      readonly lost: number;
    }
  | { readonly event: 'message_refused'; readonly why: string; readonly detail: string }
  | {
      readonly event: 'swept';
      readonly cvvs: number;
      readonly epochs: number;
      readonly seals: number;
      readonly fingerprints: number;
      readonly cards: number;
    }
  | {
      readonly event: 'limit_exceeded';
      readonly verb: VaultVerb;
      readonly what: 'calls' | 'alike_numbers' | 'new_numbers';
      readonly merchant_id: string;
      readonly mode: Mode;
    }
  | { readonly event: 'connection_refused'; readonly reason: ConnectionRefusal }
  | { readonly event: 'tls_files_refused'; readonly fault: string }
  | { readonly event: 'tls_files_loaded' }
  | { readonly event: 'tombstones_applied'; readonly cards: number; readonly merchants: number }
  | { readonly event: 'tombstones_torn'; readonly count: number }
  | { readonly event: 'unreadable_burst'; readonly what: string; readonly count: number }
  | { readonly event: 'sealing_key_forged'; readonly kid: string; readonly mode: Mode }
  | {
      readonly event: 'sealing_key_unreadable';
      readonly kid: string;
      readonly mode: Mode;
      readonly fault: string;
    }
  | {
      readonly event: 'wallet_key_forged';
      readonly mode: Mode;
      readonly wallet: WalletKind;
      readonly key_id: string;
    }
  | {
      readonly event: 'wallet_key_unreadable';
      readonly mode: Mode;
      readonly wallet: WalletKind;
      readonly key_id: string;
      readonly fault: string;
    }
  | { readonly event: 'key_file_exposed'; readonly problem: string; readonly fix: string }
  | { readonly event: 'root_key_missing' | 'root_key_still_needed'; readonly version: number }
  | {
      readonly event: 'root_rotation_waits';
      readonly version: number;
      /** Names of vaults, each made of host and key directory. */
      readonly waits_for: readonly string[];
    }
  | {
      readonly event: 'vaults_skipped';
      readonly version: number;
      /** Names of vaults that the rotation skips, with the time of their last announcement. */
      readonly vaults: readonly string[];
    }
  | { readonly event: 'root_rotation_due' }
  | { readonly event: 'request_failed'; readonly path: string; readonly fault: string }
  | {
      readonly event:
        | 'sweep_failed'
        | 'rotation_failed'
        | 'key_watch_failed'
        | 'cvv_not_restored'
        | 'audit_not_written'
        | 'database_connection_lost';
      readonly fault: string;
    };

const failureEvents: ReadonlySet<VaultEvent['event']> = new Set([
  'message_refused',
  'sealing_key_forged',
  'sealing_key_unreadable',
  'wallet_key_forged',
  'wallet_key_unreadable',
  'tls_files_refused',
  'request_failed',
  'sweep_failed',
  'rotation_failed',
  'key_watch_failed',
  'root_key_missing',
  'cvv_not_restored',
  'audit_not_written',
  'database_connection_lost',
]);

const warningEvents: ReadonlySet<VaultEvent['event']> = new Set([
  'key_file_exposed',
  'unreadable_burst',
  'limit_exceeded',
  'connection_refused',
  'tombstones_applied',
  'tombstones_torn',
  'start_waits_for_database',
  'migration_queued',
  'migration_waits',
  'root_rotation_waits',
  'vaults_skipped',
  'root_key_still_needed',
  'root_rotation_due',
]);

export type Log = (event: VaultEvent) => void;

/** Maximum characters buffered while standard output is blocked. Further lines are dropped. */
const WAITING_CHARS_MAX = 1024 ** 2;

/** Opens standard output. A full disk or closed pipe does not end the process; logging resumes when there is space. */
function openOutput(): DestinationStream {
  const output = standardOutput({ dest: 1, sync: true, maxLength: WAITING_CHARS_MAX });
  return output.on('error', () => {});
}

/** Logs one JSON object per line, by default to standard output. Failures have level `error`, alarms `warn`. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { name: 'vault' },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: guardLine },
  };
  const logger = pino(options, destination ?? openOutput());
  return (event) => logger[levelOf(event.event)](event);
}

function levelOf(event: VaultEvent['event']): 'error' | 'warn' | 'info' {
  if (failureEvents.has(event)) return 'error';
  return warningEvents.has(event) ? 'warn' : 'info';
}

/** Kind of an error: a system or SQL code, or the class name. Never the message, which may quote data. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
